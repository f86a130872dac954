-- Adds two lists of numbers element by element. Citus allows no subquery in ON CONFLICT ... SET, but it allows a function.
CREATE FUNCTION add_arrays(a bigint[], b bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  'SELECT array_agg(x + y ORDER BY i) FROM unnest(a, b) WITH ORDINALITY AS pair (x, y, i)';
