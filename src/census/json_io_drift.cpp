// SPDX-License-Identifier: MIT
// The page of `drift` for programs. It is never read back.
#include <census/drift.hpp>
#include <census/json_io_fields.hpp>

namespace census {
namespace json {
namespace {

constexpr int drift_schema_version = 1;

Json row_json(const RowDrift& row) {
  const bool both = row.then_us && row.now_us;
  Json object = Json::object();
  object["row"] = row.row;
  object["was"] = row.was.empty() ? Json(nullptr) : Json(row.was);
  object["change"] = both ? "both" : row.now_us ? "new" : "gone";
  object["then_us"] = encode(row.then_us);
  object["now_us"] = encode(row.now_us);
  object["then_bound"] = encode(row.then_bound);
  object["now_bound"] = encode(row.now_bound);
  object["loss_percent"] = encode(loss_percent(row));
  return object;
}

Json total_json(const std::optional<DriftTotal>& total) {
  if (!total) return nullptr;
  Json object = Json::object();
  object["rows"] = total->rows;
  object["mean_percent"] = encode(total->mean_percent);
  object["worst"] = total->worst;
  object["worst_percent"] = encode(total->worst_percent);
  return object;
}

Json baseline_json(const BaselineDrift& drift) {
  Json object = Json::object();
  object["file"] = drift.file;
  object["then_ceiling_tbs"] = encode(drift.then_ceiling_tbs);
  object["now_ceiling_tbs"] = encode(drift.now_ceiling_tbs);
  object["total"] = total_json(total_of(drift.rows));
  Json rows = Json::array();
  for (const RowDrift& row : drift.rows) rows.push_back(row_json(row));
  object["rows"] = std::move(rows);
  return object;
}

}  // namespace
}  // namespace json

std::string json_report(const DriftPage& page) {
  json::Json tree = json::Json::object();
  tree["kind"] = "drift";
  tree["schema_version"] = json::drift_schema_version;
  tree["since"] = page.since;
  tree["commit"] = page.commit;
  tree["notes"] = json::encode(page.notes);
  json::Json baselines = json::Json::array();
  for (const BaselineDrift& drift : page.baselines) baselines.push_back(json::baseline_json(drift));
  tree["baselines"] = std::move(baselines);
  return json::format(tree, 4);
}

}  // namespace census
