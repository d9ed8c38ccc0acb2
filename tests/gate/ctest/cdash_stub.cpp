// SPDX-License-Identifier: MIT
// A CDash server for tests, on loopback: keeps builds as CDash does, and answers well or badly.
//
// cdash_stub DIR: listens on a free port of 127.0.0.1 and writes its number to DIR/port. Request n is kept as
// DIR/<n>.head and DIR/<n>.body, the body of the last whole build's part P as DIR/<P>, and the builds in
// DIR/builds.txt: one line for each,
//   <site> <build name> <stamp>: <part> <part> ... [done]
// in which a part stands as often as it is stored. As in CDash, a part for a done build replaces the build.
//
// DIR/mode is read for each request: the name of an answer, and the part it is for (default: every part).
//   ok  token    as CDash; token: 401 unless the request has "Bearer toy-token"
//   error 401 404 500 503   nothing is stored
//   503-once     the first request only
//   html empty cut wrong-md5 drop hang   the part is stored, and the answer is useless
//   redirect     to a page of HTML
// Ends after 120 s without a request, or when it is killed.
#include "md5.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int idle_limit_ms = 120'000;  // a test that died must not leave a server behind

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

  /// Value of the query, percent-decoded; "" where it has none.
  [[nodiscard]] std::string query(const std::string& name) const {
    const std::string line = head.substr(0, head.find(" HTTP/"));
    auto start = line.find("&" + name + "=");
    if (start == std::string::npos) start = line.find("?" + name + "=");
    if (start == std::string::npos) return "";
    start += name.size() + 2;
    const std::string raw = line.substr(start, line.find('&', start) - start);
    std::string text;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '%') {
        text += raw[i];
      } else {
        text += static_cast<char>(std::stoi(raw.substr(i + 1, 2), nullptr, 16));
        i += 2;
      }
    }
    return text;
  }

  /// "Test.xml"
  [[nodiscard]] std::string part() const {
    const std::string name = query("FileName");
    const auto last = name.rfind("___");
    return last == std::string::npos ? name : name.substr(last + 3);
  }
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

struct Build {
  std::vector<std::string> parts;
  bool done = false;
};

class Server {
 public:
  explicit Server(std::filesystem::path directory)
      : directory_(std::move(directory)), socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    write_file(directory_ / "port", std::to_string(listen_on_loopback(socket_)));
  }

  void serve() {
    for (int number = 1;; ++number) {
      pollfd ready{socket_.get(), POLLIN, 0};
      if (poll(&ready, 1, idle_limit_ms) <= 0) return;
      const Socket client(accept(socket_.get(), nullptr, nullptr));
      const auto request = read_request(client);
      if (!request) continue;
      write_file(directory_ / (std::to_string(number) + ".body"), request->body);
      write_file(directory_ / (std::to_string(number) + ".head"), request->head);
      answer(client, *request);
    }
  }

 private:
  /// The mode that is in force for this part.
  std::string mode(const std::string& part) {
    std::string name = "ok", only;
    std::ifstream(directory_ / "mode") >> name >> only;
    if (!only.empty() && only != part) return "ok";
    if (name == "503-once") {
      if (refused_once_) return "ok";
      refused_once_ = true;
      return "503";
    }
    refused_once_ = false;
    return name;
  }

  static void reply(const Socket& client, const std::string& status, const std::string& body,
                    const std::string& header = "") {
    send_all(client, "HTTP/1.1 " + status + "\r\n" + header + "Connection: close\r\nContent-Length: " +
                         std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  static std::string cdash(const std::string& status, const std::string& rest) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cdash version=\"5.3.0\">\n  <status>" + status +
           "</status>\n  " + rest + "\n</cdash>\n";
  }

  void answer(const Socket& client, const Request& request) {
    const std::string part = request.part();
    const std::string name = mode(part);
    const bool has_token = request.head.find("Authorization: Bearer toy-token\r\n") != std::string::npos;
    if (request.head.rfind("PUT /login", 0) == 0) return reply(client, "200 OK", "<html>Log in</html>");
    if (name == "token" && !has_token) return reply(client, "401 Unauthorized", "{}");
    if (name == "401" || name == "404" || name == "500" || name == "503")
      return reply(client, name + " No", "<html>error</html>");
    if (name == "error")
      return reply(client, "200 OK", cdash("ERROR", "<message>Invalid \x1b[31mproject</message>"));
    if (name == "redirect") return reply(client, "302 Found", "", "Location: /login\r\n");
    const std::string md5 = gate_test::Md5::of(request.body);
    if (request.query("MD5") != md5) return reply(client, "400 Bad Request", "wrong MD5");
    for (const char* needed : {"project", "build", "site", "stamp"}) {
      if (request.query(needed).empty()) return reply(client, "400 Bad Request", std::string("no ") + needed);
    }
    const int id = store(request, part);
    if (name == "html") return reply(client, "200 OK", "<html>Welcome</html>");
    if (name == "empty") return reply(client, "200 OK", "");
    if (name == "drop") return;
    if (name == "hang") return wait_for_close(client);
    const std::string body =
        cdash("OK", "<message></message>\n  <md5>" +
                        (name == "wrong-md5" ? std::string("0123456789abcdef0123456789abcdef") : md5) +
                        "</md5>\n  <buildId>" + std::to_string(id) + "</buildId>");
    reply(client, "200 OK", name == "cut" ? body.substr(0, body.find("</md5>")) : body);
  }

  /// Returns the id of the build.
  int store(const Request& request, const std::string& part) {
    const std::string key =
        request.query("site") + " " + request.query("build") + " " + request.query("stamp");
    if (!builds_.contains(key)) order_.push_back(key);
    Build& build = builds_[key];
    if (part == "Done.xml") {
      build.done = true;
    } else {
      if (build.done) build = {};
      build.parts.push_back(part);
    }
    write_file(directory_ / part, request.body);
    std::string text;
    int id = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Build& each = builds_[order_[i]];
      text += order_[i] + ":";
      for (const auto& stored : each.parts) text += " " + stored;
      text += each.done ? " done\n" : "\n";
      if (order_[i] == key) id = 42 + static_cast<int>(i);
    }
    write_file(directory_ / "builds.txt", text);
    return id;
  }

  static void wait_for_close(const Socket& client) {
    pollfd closed{client.get(), POLLIN, 0};
    poll(&closed, 1, idle_limit_ms);
  }

  std::filesystem::path directory_;
  Socket socket_;
  std::map<std::string, Build> builds_;
  std::vector<std::string> order_;  ///< by arrival
  bool refused_once_ = false;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: cdash_stub DIR\n", stderr);
    return 2;
  }
  try {
    Server(arguments[1]).serve();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cdash_stub: %s\n", error.what());
    return 1;
  }
  return 0;
}
