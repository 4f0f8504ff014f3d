use super::*;

fn one(text: &str) -> Result<(String, bool), Fault> {
    let found = parse_at(text, 0).map_err(|(fault, _)| fault)?;
    assert_eq!(found.end, text.len(), "{text}");
    Ok((found.node.to_value().to_string(), found.edited))
}

#[test]
fn valid_json_is_not_edited() {
    for text in [
        r#"[{"id":1,"answer":"Yes","reason":"a \"b\" c, {d} [e] // f"}]"#,
        r#"{"a":[1,-2.5e3,true,false,null,"\u00e9\ud83d\ude00"],"b":{}}"#,
        "[ ]",
        r#"{"reason":"","x":"ends with backslash \\"}"#,
    ] {
        let strict: Value = serde_json::from_str(text).unwrap();
        assert_eq!(one(text), Ok((strict.to_string(), false)), "{text}");
    }
}

#[test]
fn each_edit() {
    for (text, right) in [
        ("[1,2,]", "[1,2]"),
        (r#"{"a":1,}"#, r#"{"a":1}"#),
        (r#"[{"a":1} {"b":2}]"#, r#"[{"a":1},{"b":2}]"#),
        (
            "{a:True,b:False,c:None}",
            r#"{"a":true,"b":false,"c":null}"#,
        ),
        (r#"{'a':'it\'s'}"#, r#"{"a":"it's"}"#),
        ("{“a”:“b”}", r#"{"a":"b"}"#),
        (r#"{"answer":Yes,"b":No"}"#, r#"{"answer":"Yes","b":"No"}"#),
        (r#"{"answer": N/A }"#, r#"{"answer":"N/A"}"#),
        ("[1, // one\n /* two */ 2]", "[1,2]"),
        ("{\"a\":\"b\nc\"}", r#"{"a":"b\nc"}"#),
        (
            r#"{"a":"the "x", it says"}"#,
            r#"{"a":"the \"x\", it says"}"#,
        ),
        (r#"{"a":"\( x \)"}"#, r#"{"a":"\\( x \\)"}"#),
    ] {
        assert_eq!(one(text), Ok((right.to_owned(), true)), "{text}");
    }
}

#[test]
fn no_other_edit() {
    for text in [
        r#"{"id":1 "answer":"Yes"}"#,
        r#"{"id":01}"#,
        r#"{"id":NaN}"#,
        "[Yes]",
        "[1 2]",
        "[1,,2]",
        "[,1]",
        r#"{"answer":"Yes"d"}"#,
        r#"{"answer":No visible text}"#,
        r#"{"answer":"Y\es"}"#,
        r#"["a" "b"]"#,
        r#"{"a":'it's'}"#,
        r#"{"answer":Maybe}"#,
        r#"{"answer":trueYes}"#,
        // A stray backslash makes a string swallow what follows it.
        r#"[{"id":1,"reason":"\","answer":true},{"id":2,"reason":"","answer":"No"}]"#,
        r#"[{id:1,reason:"\",answer:Yes},{id:2,reason:"",answer:No}]"#,
        r#"[{"id":1,"reason":“a","answer":"Yes"},{"id":2,"reason":"b“,"answer":"No"}]"#,
    ] {
        assert_eq!(one(text), Err(Fault::Broken), "{text}");
    }
}

#[test]
fn every_true_prefix_of_an_object_is_cut() {
    let text = r#"[{"id":1,"answer":"Yes","reason":"a \u00e9 \"b\" c","x":[true,null,-1.5e3]},{}]"#;
    for end in 1..text.len() {
        let fault = parse_at(&text[..end], 0).map(|_| ()).unwrap_err().0;
        // Inside a word or a number it may also look broken; both mean "not read".
        if fault == Fault::Broken {
            let last = text.as_bytes()[end - 1];
            assert!(
                last.is_ascii_alphanumeric() || b"\\-.".contains(&last),
                "{}",
                &text[..end]
            );
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    assert_eq!(one(&"[".repeat(100_000)), Err(Fault::Broken));
}
