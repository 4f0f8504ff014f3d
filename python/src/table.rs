//! A table, handed over by the Arrow C stream interface.

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, RecordBatchIterator};
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use verispec_report::arrow::Table;

/// Rows and columns in Arrow's memory format. Whoever takes the stream shares its buffers.
#[pyclass(frozen, module = "verispec._verispec")]
pub(crate) struct NativeTable(Table);

impl From<Table> for NativeTable {
    fn from(table: Table) -> Self {
        Self(table)
    }
}

#[pymethods]
impl NativeTable {
    /// The stream of record batches. A wanted schema may be ignored, says the interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches: Vec<_> = self.0.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, self.0.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema.as_ref());
        let schema = schema.map_err(|e| PyValueError::new_err(e.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.0.rows()
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let fields = self.0.schema.fields().iter();
        fields.map(|f| f.name().clone()).collect()
    }

    /// One record a row; null is None.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.columns();
        let rows = PyList::empty(py);
        for batch in &self.0.batches {
            let columns: Vec<_> = batch
                .columns()
                .iter()
                .map(|array| values(py, array.as_ref()))
                .collect::<PyResult<_>>()?;
            for i in 0..batch.num_rows() {
                let row = PyDict::new(py);
                for (name, column) in names.iter().zip(&columns) {
                    row.set_item(name, column.get_item(i)?)?;
                }
                rows.append(row)?;
            }
        }
        Ok(rows)
    }
}

/// The values of a column as a list.
fn values<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyList>> {
    match array.data_type() {
        DataType::Utf8 => PyList::new(py, array.as_string::<i32>().iter().collect::<Vec<_>>()),
        DataType::Int64 => PyList::new(
            py,
            array.as_primitive::<Int64Type>().iter().collect::<Vec<_>>(),
        ),
        DataType::Float64 => PyList::new(
            py,
            array
                .as_primitive::<Float64Type>()
                .iter()
                .collect::<Vec<_>>(),
        ),
        DataType::Boolean => PyList::new(py, array.as_boolean().iter().collect::<Vec<_>>()),
        DataType::List(_) => {
            let inner = array.as_list::<i32>().iter();
            let lists: Vec<_> = inner
                .map(|one| one.map(|one| values(py, one.as_ref())).transpose())
                .collect::<PyResult<_>>()?;
            PyList::new(py, lists)
        }
        other => Err(PyValueError::new_err(format!("a column of {other}"))),
    }
}
