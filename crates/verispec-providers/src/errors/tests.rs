use super::*;

fn answer(status: u16, body: &str) -> Result<Reply, ApiError> {
    decode(&RawResponse {
        status,
        content_type: None,
        body: body.as_bytes(),
    })
}

fn error(status: u16, body: &str) -> ApiError {
    answer(status, body).unwrap_err()
}

#[test]
fn every_status_has_its_kind() {
    use ApiErrorKind::*;
    for (statuses, kind) in [
        (&[401, 402, 403][..], Auth),
        (&[301, 302, 308, 404, 405, 410], NotFound),
        (
            &[400, 406, 411, 413, 415, 418, 422, 424, 431, 451],
            BadRequest,
        ),
        (&[429], RateLimit),
        (
            &[408, 409, 423, 425, 449, 500, 502, 503, 504, 524, 529, 599],
            Server,
        ),
        (&[100, 200, 204], Malformed),
    ] {
        for status in statuses {
            assert_eq!(kind_of_status(*status), kind, "{status}");
        }
    }
}

#[test]
fn d05_a_refused_parameter_is_named() {
    for (body, param) in [
        (
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#,
            "max_tokens",
        ),
        (
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.1","param":null,"code":null,"type":"invalid_request_error"}}"#,
            "temperature",
        ),
        (
            r#"[{"error":{"code":400,"message":"Invalid JSON payload received.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"generation_config.top_q","description":"Cannot find field."}]}]}}]"#,
            "generation_config.top_q",
        ),
        (
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","min_q"],"msg":"Extra inputs are not permitted"}]}"#,
            "min_q",
        ),
        (
            r#"{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'min_q'), 'msg': 'no'}]","type":"BadRequestError","param":null,"code":400}"#,
            "min_q",
        ),
        (
            r#"{"error":{"message":"`top_p` must be in (0, 1]","type":"invalid_request_error"}}"#,
            "top_p",
        ),
        (
            r#"{"error":{"message":"bad 'messages[0].content'"}}"#,
            "messages",
        ),
    ] {
        let e = error(400, body);
        assert_eq!(e.kind, ApiErrorKind::BadRequest, "{body}");
        assert_eq!(e.param.as_deref(), Some(param), "{body}");
    }
}

#[test]
fn codes_and_messages_of_each_shape() {
    for (status, body, kind, code, message) in [
        (
            401,
            r#"{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}"#,
            ApiErrorKind::Auth,
            Some("authentication_error"),
            "Invalid API Key",
        ),
        (
            400,
            r#"{"code":"InvalidParameter","message":"url error","request_id":"r"}"#,
            ApiErrorKind::BadRequest,
            Some("InvalidParameter"),
            "url error",
        ),
        (
            404,
            r#"{"error":"model 'x' not found"}"#,
            ApiErrorKind::NotFound,
            None,
            "model 'x' not found",
        ),
        (
            422,
            r#"{"detail":"No image"}"#,
            ApiErrorKind::BadRequest,
            None,
            "No image",
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
            ApiErrorKind::Auth,
            Some("INVALID_ARGUMENT"),
            "API key not valid.",
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            ApiErrorKind::Auth,
            Some("insufficient_quota"),
            "You exceeded your current quota",
        ),
        (
            429,
            r#"{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}"#,
            ApiErrorKind::RateLimit,
            Some("rate_limit_exceeded"),
            "slow down",
        ),
        (
            502,
            r#"{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream\n died"}}}"#,
            ApiErrorKind::Server,
            None,
            "Provider returned error: upstream died",
        ),
    ] {
        let e = error(status, body);
        let got = (e.kind, e.status, e.code.as_deref(), e.message.as_str());
        assert_eq!(got, (kind, status, code, message), "{body}");
    }
}

#[test]
fn declined_content_is_a_refusal_and_not_a_broken_request() {
    for (status, body) in [
        (
            400,
            r#"{"error":{"code":"content_filter","message":"filtered","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
        ),
        (
            400,
            r#"{"error":{"code":"content_policy_violation","message":"no"}}"#,
        ),
        (
            400,
            r#"{"code":"DataInspectionFailed","message":"Input data may contain inappropriate content."}"#,
        ),
        (
            400,
            r#"{"error":{"code":"data_inspection_failed","message":"x"}}"#,
        ),
        (
            403,
            r#"{"error":{"code":403,"message":"flagged","metadata":{"reasons":["x"],"flagged_input":"…"}}}"#,
        ),
    ] {
        let reply = answer(status, body).unwrap();
        assert_eq!(reply.finish, Finish::Refused, "{body}");
        assert_eq!(reply.text, "");
    }
}

#[test]
fn pages_of_proxies_give_a_short_message() {
    let page =
        "<!DOCTYPE html><html><head><TITLE>502 Bad\n Gateway</TITLE></head><body>long</body>";
    assert_eq!(error(502, page).message, "HTML page 502 Bad Gateway");
    assert_eq!(error(502, "<h1>oops").message, "HTML page");
    assert_eq!(error(503, "").message, "empty body");
    assert_eq!(
        error(500, "upstream  connect\nerror").message,
        "upstream connect error"
    );
    assert_eq!(
        error(500, &"é".repeat(5000)).message.chars().count(),
        MESSAGE_CHARS + 1
    );
    assert_eq!(error(500, "{\"x\":1}").message, "{\"x\":1}");
}

#[test]
fn errors_inside_a_successful_answer() {
    let kind = |body: &str| {
        let value = serde_json::from_str(body).unwrap();
        in_band(&value, 200).map(|r| r.map(|reply| reply.finish).map_err(|e| e.kind))
    };
    for (body, expected) in [
        (
            r#"{"error":{"message":"quota"}}"#,
            Some(Err(ApiErrorKind::Server)),
        ),
        (
            r#"{"error":{"code":429,"message":"x"}}"#,
            Some(Err(ApiErrorKind::RateLimit)),
        ),
        (
            r#"{"error":{"code":"429","message":"x"}}"#,
            Some(Err(ApiErrorKind::RateLimit)),
        ),
        (
            r#"{"error":{"type":"rate_limit_error"}}"#,
            Some(Err(ApiErrorKind::RateLimit)),
        ),
        (
            r#"{"error":{"type":"invalid_request_error","message":"x"}}"#,
            Some(Err(ApiErrorKind::BadRequest)),
        ),
        (
            r#"{"error":{"type":"authentication_error"}}"#,
            Some(Err(ApiErrorKind::Auth)),
        ),
        (r#"{"error":"boom"}"#, Some(Err(ApiErrorKind::Server))),
        (
            r#"{"object":"error","message":"x","code":400}"#,
            Some(Err(ApiErrorKind::BadRequest)),
        ),
        (
            r#"{"code":"Throttling.RateQuota","message":"x"}"#,
            Some(Err(ApiErrorKind::RateLimit)),
        ),
        (
            r#"{"code":"DataInspectionFailed","message":"x"}"#,
            Some(Ok(Finish::Refused)),
        ),
        (r#"{"choices":[],"error":null}"#, None),
        (r#"{"choices":[],"code":"0","message":"ok"}"#, None),
        (r#"{"candidates":[]}"#, None),
    ] {
        assert_eq!(kind(body), expected, "{body}");
    }
}
