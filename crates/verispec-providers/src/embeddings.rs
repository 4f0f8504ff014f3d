//! `openai-embeddings`: vectors of texts, as OpenAI defines and many servers follow it. Each text
//! part of a request is one text; the reply is a JSON list with one vector a text, in order.

use serde_json::{Map, Value, json};
use verispec_model::{ApiError, Finish, Params, Part, Reply, Request, Structured, Usage};

use crate::Dialect;
use crate::body::{BodyWriter, merge_extra};
use crate::errors;
use crate::json::{count_at, list_of, parse, str_of};
use crate::message::{Auth, EncodeError, EncodedImage, Message, RawResponse};
use crate::params::{self, Field, Kind, field};

/// Name of the dialect.
pub const EMBEDDINGS: &str = "openai-embeddings";

/// Parameters. `dimensions` shortens vectors where the model can.
const FIELDS: &[Field] = &[
    field("dimensions", Some("dimensions"), Kind::Integer),
    field("extra_body", None, Kind::Object),
];

/// The dialect of embedding endpoints. It answers no question, so it is not among those of judges.
#[derive(Debug, Clone, Copy)]
pub struct OpenAiEmbeddings;

impl Dialect for OpenAiEmbeddings {
    fn name(&self) -> &'static str {
        EMBEDDINGS
    }

    fn encode(&self, request: &Request, images: &[EncodedImage]) -> Result<Message, EncodeError> {
        self.check_params(&request.judge.params)?;
        params::check_images(request, images.len())?;
        let texts: Vec<&str> = request.parts.iter().filter_map(text).collect();
        if texts.len() != request.parts.len() {
            return Err(EncodeError::BadParameter {
                dialect: EMBEDDINGS,
                name: "parts",
                expected: "texts alone",
                got: "an image".to_owned(),
            });
        }
        let mut fields = Map::new();
        fields.insert("model".into(), json!(request.judge.model));
        fields.insert("input".into(), json!(texts));
        fields.insert("encoding_format".into(), json!("float"));
        if let Some(length) = request.judge.params.get("dimensions") {
            fields.insert("dimensions".into(), length.clone());
        }
        if let Some(Value::Object(extra)) = request.judge.params.get("extra_body") {
            merge_extra(&mut fields, extra)?;
        }
        let mut body = BodyWriter::default();
        body.json(&fields);
        Ok(Message {
            path: "/embeddings".to_owned(),
            headers: vec![("content-type", "application/json".to_owned())],
            auth: Auth::Bearer,
            body: body.finish(),
        })
    }

    fn decode(&self, response: &RawResponse<'_>) -> Result<Reply, ApiError> {
        if !(200..300).contains(&response.status) {
            return errors::decode(response);
        }
        let body = parse(&String::from_utf8_lossy(response.body));
        let Some(body) = body else {
            return Err(errors::malformed(response, "no JSON"));
        };
        if let Some(outcome) = errors::in_band(&body, response.status) {
            return outcome;
        }
        let Some(vectors) = vectors(&body) else {
            return Err(errors::malformed(response, "no list of vectors"));
        };
        Ok(Reply {
            finish: Finish::Stop,
            served_model: str_of(&body, "model").map(str::to_owned),
            usage: Usage {
                input: count_at(&body, &["usage", "prompt_tokens"]),
                // Vectors cost nothing beside the texts.
                output: Some(0),
                ..Usage::default()
            },
            ..Reply::text(vectors.to_string())
        })
    }

    fn check_params(&self, params: &Params) -> Result<(), EncodeError> {
        params::check(EMBEDDINGS, FIELDS, params)
    }

    fn check_structured(&self, structured: Structured) -> Result<(), EncodeError> {
        match structured {
            Structured::None => Ok(()),
            other => Err(EncodeError::BadParameter {
                dialect: EMBEDDINGS,
                name: "structured",
                expected: "none",
                got: format!("{other:?}"),
            }),
        }
    }

    fn image_tokens(&self, _: &str, _: &Params, _: u32, _: u32) -> u64 {
        0
    }
}

fn text(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(text),
        Part::Image(_) => None,
    }
}

/// The vectors in the order of their `index`, which servers need not keep in the list. `None`
/// unless every place from 0 on is filled once with numbers.
fn vectors(body: &Value) -> Option<Value> {
    let data = list_of(body, "data");
    let mut places: Vec<Option<&Value>> = vec![None; data.len()];
    for (at, one) in data.iter().enumerate() {
        let given = one.get("index").and_then(Value::as_u64);
        let place = given.map_or(Some(at), |i| usize::try_from(i).ok())?;
        let vector = one.get("embedding")?;
        vector
            .as_array()?
            .iter()
            .map(Value::as_f64)
            .collect::<Option<Vec<f64>>>()?;
        if places.get_mut(place)?.replace(vector).is_some() {
            return None;
        }
    }
    let all: Vec<Value> = places
        .into_iter()
        .map(Option::<&Value>::cloned)
        .collect::<Option<_>>()?;
    (!all.is_empty()).then_some(Value::Array(all))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use verispec_model::{ApiErrorKind, Hash, JudgeIdentity};

    use super::*;

    fn request(params: Params) -> Request {
        Request {
            protocol: "embed@1".into(),
            template: Hash::of(b"t"),
            judge: Arc::new(JudgeIdentity {
                provider: EMBEDDINGS.into(),
                model: "m".into(),
                params,
                structured: Structured::None,
                revision: None,
            }),
            parts: vec![Part::Text("a \"b\"".into()), Part::Text("c".into())],
            questions: vec![],
            schema: None,
            repeat: 0,
            parent: None,
            derivation: None,
        }
    }

    fn decode(status: u16, body: &str) -> Result<Reply, ApiError> {
        OpenAiEmbeddings.decode(&RawResponse {
            status,
            content_type: None,
            body: body.as_bytes(),
        })
    }

    #[test]
    fn the_body_holds_texts_and_model() {
        let params = Params::from([("dimensions".into(), json!(8))]);
        let message = OpenAiEmbeddings.encode(&request(params), &[]).unwrap();
        assert_eq!(message.path, "/embeddings");
        let body = String::from_utf8(message.body_bytes()).unwrap();
        assert_eq!(
            body,
            r#"{"model":"m","input":["a \"b\"","c"],"encoding_format":"float","dimensions":8}"#
        );
        let odd = Params::from([("temperature".into(), json!(0))]);
        assert!(OpenAiEmbeddings.encode(&request(odd), &[]).is_err());
    }

    #[test]
    fn vectors_come_in_the_order_of_their_index() {
        let reply = decode(
            200,
            r#"{"data":[{"index":1,"embedding":[0.5,1]},{"index":0,"embedding":[2,-1e-3]}],
                "model":"m-1","usage":{"prompt_tokens":7}}"#,
        );
        let reply = reply.unwrap();
        assert_eq!(reply.text, "[[2,-0.001],[0.5,1]]");
        assert_eq!(reply.served_model.as_deref(), Some("m-1"));
        assert_eq!((reply.usage.input, reply.usage.output), (Some(7), Some(0)));
    }

    #[test]
    fn what_is_no_list_of_vectors_is_malformed() {
        for body in [
            "",
            "[]",
            r#"{"data":[]}"#,
            r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
            r#"{"data":[{"index":1,"embedding":[1]}]}"#,
            r#"{"data":[{"index":0,"embedding":["1"]}]}"#,
            r#"{"data":[{"index":0,"embedding":"AAAA"}]}"#,
        ] {
            assert_eq!(
                decode(200, body).unwrap_err().kind,
                ApiErrorKind::Malformed,
                "{body}"
            );
        }
        assert_eq!(decode(429, "{}").unwrap_err().kind, ApiErrorKind::RateLimit);
    }
}
