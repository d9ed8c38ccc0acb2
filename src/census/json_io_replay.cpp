// SPDX-License-Identifier: MIT
// The page of `judge --replay` for programs. It is never read back.
#include <census/json_io_fields.hpp>
#include <census/replay.hpp>

namespace census {
namespace json {
namespace {

constexpr int replay_schema_version = 1;

Json verdict_json(const Verdict& verdict) {
  Json object = Json::object();
  object["verdict"] = to_string(verdict.kind);
  object["reason"] = verdict.reason;
  object["limit_us"] = encode(verdict.limit_us);
  object["confirmed"] = !verdict.needs_confirmation;
  return object;
}

Json row_json(const ReplayRow& row) {
  Json object = Json::object();
  object["row"] = row.row;
  object["backend"] = name_of(row.backend);
  object["occasion"] = row.occasion;
  object["date"] = row.date;
  object["us"] = encode(row.now.us);
  object["baseline_us"] = encode(row.now.baseline_us);
  object["ratio"] = encode(row.now.ratio);
  object["recorded"] = row.recorded ? Json(to_string(*row.recorded)) : Json(nullptr);
  object["in_force"] = verdict_json(row.now);
  object["replayed"] = verdict_json(row.then);
  object["flips"] = flips(row);
  return object;
}

}  // namespace
}  // namespace json

std::string json_report(const ReplayPage& page) {
  json::Json tree = json::Json::object();
  tree["kind"] = "replay";
  tree["schema_version"] = json::replay_schema_version;
  tree["baselines"] = page.baselines;
  tree["policy"] = json::encode(page.policy);
  int flipped = 0;
  json::Json rows = json::Json::array();
  for (const ReplayRow& row : page.rows) {
    flipped += flips(row) ? 1 : 0;
    rows.push_back(json::row_json(row));
  }
  tree["flips"] = flipped;
  tree["rows"] = std::move(rows);
  return json::format(tree, 2);
}

}  // namespace census
