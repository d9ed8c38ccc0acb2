# census_add_gate: ctest cases from a gate executable's own list of rows.
function(census_add_gate target)
endfunction()
