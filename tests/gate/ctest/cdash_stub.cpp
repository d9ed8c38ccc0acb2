// SPDX-License-Identifier: MIT
// A CDash server for tests: stores what is put to it, on loopback, and answers as CDash does.
//
// cdash_stub DIR: listens on a free port of 127.0.0.1, writes the number to DIR/port, and keeps request n as
// DIR/<n>.head and DIR/<n>.body. Ends after Done.xml, or after 120 s without a request.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

constexpr int idle_limit_ms = 120'000;  // a test that died must not leave a server behind
constexpr int build_id = 42;

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {
    if (descriptor < 0) throw std::runtime_error("no socket");
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { close(descriptor_); }
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

void write_file(const std::filesystem::path& path, const std::string& text) {
  const auto unfinished = path.string() + ".new";
  std::ofstream(unfinished, std::ios::binary) << text;
  std::filesystem::rename(unfinished, path);  // a reader sees all or nothing
}

int listen_on_loopback(const Socket& server) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(server.get(), reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      listen(server.get(), 8) != 0 ||
      getsockname(server.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    throw std::runtime_error("cannot listen on 127.0.0.1");
  }
  return ntohs(address.sin_port);
}

void send_all(const Socket& client, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const auto count = send(client.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;  // the client went away: its own outcome to report
    sent += static_cast<std::size_t>(count);
  }
}

struct Request {
  std::string head;
  std::string body;
};

/// Reads on until `text` holds at least `size` bytes; false when the client closed before.
bool read_until(const Socket& client, std::string& text, std::size_t size) {
  char buffer[65536];
  while (text.size() < size) {
    const auto count = recv(client.get(), buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return true;
}

std::size_t content_length(const std::string& head) {
  const std::string name = "Content-Length: ";
  const auto found = head.find(name);
  return found == std::string::npos ? 0 : std::stoul(head.substr(found + name.size()));
}

std::optional<Request> read_request(const Socket& client) {
  std::string text;
  auto end = std::string::npos;
  while ((end = text.find("\r\n\r\n")) == std::string::npos) {
    if (!read_until(client, text, text.size() + 1)) return std::nullopt;
  }
  end += 4;
  Request request{text.substr(0, end), text.substr(end)};
  if (request.head.find("Expect: 100-continue") != std::string::npos)
    send_all(client, "HTTP/1.1 100 Continue\r\n\r\n");
  if (!read_until(client, request.body, content_length(request.head))) return std::nullopt;
  return request;
}

void answer_ok(const Socket& client) {
  const std::string body =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cdash version=\"5.3.0\">\n  <status>OK</status>\n"
      "  <message></message>\n  <buildId>" +
      std::to_string(build_id) + "</buildId>\n</cdash>\n";
  send_all(client, "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nConnection: close\r\nContent-Length: " +
                       std::to_string(body.size()) + "\r\n\r\n" + body);
}

void serve(const std::filesystem::path& directory) {
  const Socket server(socket(AF_INET, SOCK_STREAM, 0));
  write_file(directory / "port", std::to_string(listen_on_loopback(server)));
  for (int number = 1;; ++number) {
    pollfd ready{server.get(), POLLIN, 0};
    if (poll(&ready, 1, idle_limit_ms) <= 0) return;
    const Socket client(accept(server.get(), nullptr, nullptr));
    const auto request = read_request(client);
    if (!request) continue;
    write_file(directory / (std::to_string(number) + ".body"), request->body);
    write_file(directory / (std::to_string(number) + ".head"), request->head);
    answer_ok(client);
    if (request->head.find("Done.xml") != std::string::npos) return;
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: cdash_stub DIR\n", stderr);
    return 2;
  }
  try {
    serve(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cdash_stub: %s\n", error.what());
    return 1;
  }
  return 0;
}
