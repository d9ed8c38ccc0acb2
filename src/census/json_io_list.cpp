// SPDX-License-Identifier: MIT
// The list of rows, as the command `list` prints it.
#include <census/json_io_fields.hpp>
#include <census/listed_row.hpp>

namespace census {
namespace json {
namespace {

struct ListedUse {
  std::string plan;
};

template <class Archive, Same<ListedUse> S>
void describe(Archive& a, S& s) {
  a("plan", s.plan);
}

struct Listed {
  ListedRow row;
  std::vector<ListedUse> uses;
};

template <class Archive, Same<Listed> S>
void describe(Archive& a, S& s) {
  a("id", s.row.id);
  a("backend", s.row.backend);
  a("resident", s.row.resident);
  a("cold_bytes", s.row.cold_bytes);
  a("arms", s.row.arms);
  a("uses", s.uses);
}

}  // namespace
}  // namespace json

std::vector<ListedRow> parse_list(const std::string& text, const std::string& file_name) {
  const json::Place place{
      .source = {file_name, "build both executables from commits that have the command ab"}};
  const json::Json tree = json::parse(text, place.source);
  // A page calls its version "schema".
  const auto is = [&](const char* field, const json::Json& value) {
    const auto found = tree.find(field);
    return found != tree.end() && *found == value;
  };
  if (!is("kind", "list") || !is("schema", 1)) place.at("schema").fail("must be that of a list, version 1");
  std::vector<json::Listed> listed;
  json::Reader reader(tree, place);
  reader("rows", listed);
  std::vector<ListedRow> rows;
  for (auto& one : listed) {
    if (one.row.id.empty()) place.at("rows").fail("has a row without an id");
    for (const auto& use : one.uses) one.row.plans.push_back(use.plan);
    rows.push_back(std::move(one.row));
  }
  return rows;
}

}  // namespace census
