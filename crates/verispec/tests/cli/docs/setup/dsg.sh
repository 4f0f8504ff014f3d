# The released data, which is not in this repository.
if [ ! -d "$TEST_DATA/data/dsg" ]; then exit 77; fi
ln -s "$TEST_DATA/data/dsg" DIR
cp "$TEST_DATA"/data/tifa/human_annotations_with_scores.json .
