from=$TESTS/../../../verispec-suites/tests/data/foreign
mkdir -p outputs/org__model outputs/MyVLM/T20260102 results logs
for file in "$from"/lmms/*/*; do
    cp "$file" "outputs/org__model/$(basename "$file" | sed s/samples_kites/samples_mmmu/)"
done
sed -i s/kites/mmmu/g outputs/org__model/*_results.json
for file in "$from"/vlmevalkit/TinyVLM/T20260102/*; do
    cp "$file" "outputs/MyVLM/T20260102/$(basename "$file" | sed 's/TinyVLM_KiteMCQ_exact_matching/MyVLM_MMBench/')"
done
cp "$from"/ueval-tiny-umm.json my-umm.json
cp "$from"/cultural_common_sense_TinyUMM_scores.jsonl cultural_common_sense_MyUMM_scores.jsonl
cp "$from"/alignment*.csv results
cp "$from"/tifa-tiny-t2i.json my-t2i.json
cp "$from"/inspect-kites.json logs/2026-01-02_task.json
