//! Writes canonical JSON straight into a buffer: members are compared as they are written, and sorted only where they have to be.

use std::fmt::{self, Display, Write};
use std::ops::Range;

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Value;

use super::{CanonicalError, DEPTH_MAX, INTEGER_MAX, is_key_byte, write_string};

/// Appends values to a buffer.
pub(super) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// How many lists and objects are open.
    depth: usize,
    /// Whether what is written is the name of a member, which is checked once it stands there.
    is_name: bool,
}

/// A list that is being written.
pub(super) struct List<'w, 'o> {
    to: &'w mut Writer<'o>,
    is_empty: bool,
    /// What ends it: its bracket, and the brace of an object around it that names a variant.
    end: &'static [u8],
}

/// An object that is being written.
pub(super) struct Object<'w, 'o> {
    to: &'w mut Writer<'o>,
    /// Where its brace is.
    start: usize,
    /// Where the name of its last member is.
    last: Range<usize>,
    is_sorted: bool,
    /// As for lists.
    end: &'static [u8],
}

impl<'o> Writer<'o> {
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, depth: 0, is_name: false }
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        if self.depth > DEPTH_MAX { Err(CanonicalError::Depth) } else { value.serialize(self) }
    }

    fn text(&mut self, text: &str) {
        if self.is_name || is_plain(text.as_bytes()) {
            self.out.push(b'"');
            self.out.extend_from_slice(text.as_bytes());
            self.out.push(b'"');
        } else {
            write_string(text, self.out);
        }
    }

    /// Writes what begins a list or an object. No name is one, so what it holds is text to be escaped.
    fn open(&mut self, bracket: u8) {
        self.out.push(bracket);
        self.depth += 1;
        self.is_name = false;
    }

    /// Opens the object of one member that names a variant.
    fn variant(&mut self, name: &'static str) -> Result<(), CanonicalError> {
        self.open(b'{');
        if self.depth > DEPTH_MAX {
            return Err(CanonicalError::Depth);
        }
        self.text(name);
        check_key(&self.out[self.out.len() - name.len() - 1..self.out.len() - 1])?;
        self.out.push(b':');
        Ok(())
    }

    fn list(&mut self, end: &'static [u8]) -> List<'_, 'o> {
        self.open(b'[');
        List { to: self, is_empty: true, end }
    }

    fn object(&mut self, end: &'static [u8]) -> Object<'_, 'o> {
        let start = self.out.len();
        self.open(b'{');
        Object { to: self, start, last: 0..0, is_sorted: true, end }
    }

    /// Writes what ends a list or an object.
    fn close(&mut self, end: &'static [u8]) {
        self.out.extend_from_slice(end);
        self.depth -= end.len();
    }
}

/// Whether a text stands in quotes as it is.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|b| *b >= 0x20 && !matches!(b, b'"' | b'\\'))
}

#[inline]
fn check_key(key: &[u8]) -> Result<(), CanonicalError> {
    if key.iter().all(|b| is_key_byte(*b)) { Ok(()) } else { Err(CanonicalError::Key) }
}

impl List<'_, '_> {
    fn item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), CanonicalError> {
        if !std::mem::take(&mut self.is_empty) {
            self.to.out.push(b',');
        }
        self.to.value(item)
    }

    fn finish(self) {
        self.to.close(self.end);
    }
}

impl Object<'_, '_> {
    fn name<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), CanonicalError> {
        if !self.is_empty() {
            self.to.out.push(b',');
        }
        let from = self.to.out.len();
        self.to.is_name = true;
        self.to.value(name)?;
        self.to.is_name = false;
        match self.to.out[from] {
            b'"' => self.to.out.push(b':'),
            b'-' | b'0'..=b'9' | b't' | b'f' => {
                self.to.out.insert(from, b'"');
                self.to.out.extend_from_slice(b"\":");
            }
            _ => return Err(CanonicalError::Key),
        }
        self.named(from + 1)
    }

    /// Like [`name`](Self::name), of a member of a struct.
    fn field(&mut self, name: &'static str) -> Result<(), CanonicalError> {
        if self.is_empty() {
            self.to.out.push(b'"');
        } else {
            self.to.out.extend_from_slice(b",\"");
        }
        let from = self.to.out.len();
        self.to.out.extend_from_slice(name.as_bytes());
        self.to.out.extend_from_slice(b"\":");
        self.named(from)
    }

    fn is_empty(&self) -> bool {
        self.to.out.len() == self.start + 1
    }

    /// Checks the name that was written from here on, up to its quote and colon, and compares it with the one before.
    fn named(&mut self, from: usize) -> Result<(), CanonicalError> {
        let name = from..self.to.out.len() - 2;
        let (before, written) = (&self.to.out[self.last.clone()], &self.to.out[name.clone()]);
        check_key(written)?;
        let is_first = from == self.start + 2;
        // Names are short, and differ early.
        self.is_sorted &= is_first || before.iter().lt(written);
        self.last = name;
        Ok(())
    }

    fn finish(self) -> Result<(), CanonicalError> {
        let Self { to, start, is_sorted, end, .. } = self;
        let (brace, after) = end.split_at(1);
        to.close(brace);
        if !is_sorted {
            // Its map is sorted by bytes.
            let sorted: Value = serde_json::from_slice(&to.out[start..]).expect("what was written is JSON");
            to.out.truncate(start);
            sorted.serialize(&mut *to)?;
        }
        to.close(after);
        Ok(())
    }
}

impl<'w, 'o> Serializer for &'w mut Writer<'o> {
    type Ok = ();
    type Error = CanonicalError;
    type SerializeSeq = List<'w, 'o>;
    type SerializeTuple = List<'w, 'o>;
    type SerializeTupleStruct = List<'w, 'o>;
    type SerializeTupleVariant = List<'w, 'o>;
    type SerializeMap = Object<'w, 'o>;
    type SerializeStruct = Object<'w, 'o>;
    type SerializeStructVariant = Object<'w, 'o>;

    fn serialize_bool(self, v: bool) -> Result<(), CanonicalError> {
        self.out.extend_from_slice(if v { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i8(self, v: i8) -> Result<(), CanonicalError> {
        self.serialize_i64(v.into())
    }

    fn serialize_i16(self, v: i16) -> Result<(), CanonicalError> {
        self.serialize_i64(v.into())
    }

    fn serialize_i32(self, v: i32) -> Result<(), CanonicalError> {
        self.serialize_i64(v.into())
    }

    fn serialize_i64(self, v: i64) -> Result<(), CanonicalError> {
        if v < 0 {
            self.out.push(b'-');
        }
        self.serialize_u64(v.unsigned_abs())
    }

    fn serialize_u8(self, v: u8) -> Result<(), CanonicalError> {
        self.serialize_u64(v.into())
    }

    fn serialize_u16(self, v: u16) -> Result<(), CanonicalError> {
        self.serialize_u64(v.into())
    }

    fn serialize_u32(self, v: u32) -> Result<(), CanonicalError> {
        self.serialize_u64(v.into())
    }

    fn serialize_u64(self, v: u64) -> Result<(), CanonicalError> {
        match v {
            0..10 => self.out.push(b'0' + v as u8),
            _ if v > INTEGER_MAX as u64 => return Err(CanonicalError::Number),
            _ => self.out.extend_from_slice(itoa::Buffer::new().format(v).as_bytes()),
        }
        Ok(())
    }

    fn serialize_f32(self, _: f32) -> Result<(), CanonicalError> {
        Err(CanonicalError::Number)
    }

    fn serialize_f64(self, _: f64) -> Result<(), CanonicalError> {
        Err(CanonicalError::Number)
    }

    fn serialize_char(self, v: char) -> Result<(), CanonicalError> {
        self.serialize_str(v.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, v: &str) -> Result<(), CanonicalError> {
        self.text(v);
        Ok(())
    }

    fn serialize_bytes(self, v: &[u8]) -> Result<(), CanonicalError> {
        self.collect_seq(v)
    }

    fn serialize_none(self) -> Result<(), CanonicalError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), CanonicalError> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), CanonicalError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), CanonicalError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        self.variant(variant)?;
        self.value(value)?;
        self.close(b"}");
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'w, 'o>, CanonicalError> {
        Ok(self.list(b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'w, 'o>, CanonicalError> {
        Ok(self.list(b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'w, 'o>, CanonicalError> {
        Ok(self.list(b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'w, 'o>, CanonicalError> {
        self.variant(variant)?;
        Ok(self.list(b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'w, 'o>, CanonicalError> {
        Ok(self.object(b"}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'w, 'o>, CanonicalError> {
        Ok(self.object(b"}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'w, 'o>, CanonicalError> {
        self.variant(variant)?;
        Ok(self.object(b"}}"))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), CanonicalError> {
        self.out.push(b'"');
        let from = self.out.len();
        write!(Raw(self.out), "{value}").map_err(CanonicalError::custom)?;
        if self.is_name || is_plain(&self.out[from..]) {
            self.out.push(b'"');
            return Ok(());
        }
        let text = String::from_utf8(self.out.split_off(from)).expect("text is UTF-8");
        self.out.pop();
        write_string(&text, self.out);
        Ok(())
    }
}

/// Appends text as it is.
struct Raw<'o>(&'o mut Vec<u8>);

impl Write for Raw<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl Error for CanonicalError {
    /// Data in memory are refused by nothing but types of keys that no map here has.
    fn custom<T: Display>(_: T) -> Self {
        Self::Key
    }
}

impl SerializeSeq for List<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        self.item(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish();
        Ok(())
    }
}

impl SerializeTuple for List<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        self.item(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish();
        Ok(())
    }
}

impl SerializeTupleStruct for List<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        self.item(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish();
        Ok(())
    }
}

impl SerializeTupleVariant for List<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        self.item(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish();
        Ok(())
    }
}

impl SerializeMap for Object<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), CanonicalError> {
        self.name(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        self.to.value(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish()
    }
}

impl SerializeStruct for Object<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), CanonicalError> {
        self.field(key)?;
        self.to.value(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish()
    }
}

impl SerializeStructVariant for Object<'_, '_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), CanonicalError> {
        self.field(key)?;
        self.to.value(value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish()
    }
}
