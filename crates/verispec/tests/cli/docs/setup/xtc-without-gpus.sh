# What xtc.md takes as given.
. "$TESTS/docs/setup/xtc.sh"
