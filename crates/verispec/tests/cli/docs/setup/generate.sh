# The fake server that draws answers instead of the one that judges.
echo 'export OPENAI_BASE_URL=$MAKER' > .settings
