//! Weighted least squares by the normal equations.

/// The parameters for rows of regressors, value and weight. A little weight on zero keeps the equations solvable where a regressor
/// is constant or missing.
pub(super) fn least_squares(rows: impl Iterator<Item = ([f64; 5], f64, f64)>) -> [f32; 5] {
    let mut matrix = [[0.0; 6]; 5];
    for (regressors, value, weight) in rows {
        for (i, line) in matrix.iter_mut().enumerate() {
            for (cell, regressor) in line.iter_mut().zip(regressors.iter().chain([&value])) {
                *cell += weight * regressors[i] * regressor;
            }
        }
    }
    for (i, line) in matrix.iter_mut().enumerate() {
        line[i] += 1e-3;
    }
    // Gauss and Jordan; the matrix is positive definite, so no pivoting is needed.
    for pivot in 0..5 {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|cell| *cell /= scale);
        let row = matrix[pivot];
        for (i, line) in matrix.iter_mut().enumerate() {
            if i != pivot {
                let factor = line[pivot];
                line.iter_mut()
                    .zip(row)
                    .for_each(|(cell, other)| *cell -= factor * other);
            }
        }
    }
    matrix.map(|line| line[5] as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ErrorModel;

    #[test]
    fn least_squares_finds_the_parameters_of_exact_data() {
        let truth = [0.5, -1.0, 2.0, 0.25, -0.75];
        let rows = (10..50).flat_map(|empties| {
            (2..9).flat_map(move |depth| {
                (1..depth).map(move |shallow| {
                    let r = ErrorModel::regressors(empties, depth, shallow).map(f64::from);
                    (r, r.iter().zip(truth).map(|(a, b)| a * b).sum(), 30.0)
                })
            })
        });
        for (found, expected) in least_squares(rows).into_iter().zip(truth) {
            assert!((f64::from(found) - expected).abs() < 1e-2, "{found} {expected}");
        }
    }
}
