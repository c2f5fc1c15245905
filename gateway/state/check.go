package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// ErrElsewhere means that the state lies in a database server, which has ways of its
// own to be copied.
var ErrElsewhere = errors.New("the state lies in Postgres")

// CopyTo writes a copy of the whole database, of one moment, to a file that does
// not exist yet, while others read and write. It is ErrElsewhere with Postgres.
func (db *DB) CopyTo(ctx context.Context, path string) error {
	if db.engine.shared {
		return ErrElsewhere
	}
	_, err := db.engine.writer.ExecContext(ctx, `VACUUM INTO $1`, path)
	return db.fault("copy database", err)
}

// Shared reports whether the state lies in a database server.
func (db *DB) Shared() bool { return db.engine.shared }

// Verify reads the database through and returns what does not fit: pages, indexes
// and references (of SQLite; Postgres looks after its own), and the ledger, in
// which every transfer and the whole add up to nothing and no account that may not
// is below it. With deep it compares indexes with their tables too. The error says
// only that it could not finish.
func (db *DB) Verify(ctx context.Context, deep bool) (problems []string, err error) {
	if !db.engine.shared {
		problems, err = checkFile(ctx, db.engine.reader, deep)
		if err != nil {
			return problems, db.fault("check database", err)
		}
		if len(problems) > 0 {
			return problems, nil // sums of damaged pages would only confuse
		}
	}
	ledger, err := db.checkLedger(ctx)
	return append(problems, ledger...), db.fault("check ledger", err)
}

// checkFile has SQLite look at its own file. Damage that stops the look itself is
// a problem too.
func checkFile(ctx context.Context, from *sql.DB, deep bool) (problems []string, err error) {
	check := `PRAGMA quick_check(20)`
	if deep {
		check = `PRAGMA integrity_check(20)`
	}
	for _, pragma := range []string{check, `PRAGMA foreign_key_check`} {
		found, err := pragmaRows(ctx, from, pragma)
		if errors.Is(classifySQLite(err), ErrDamaged) {
			return append(problems, fmt.Sprintf("state.db: %v", err)), nil
		}
		if err != nil {
			return problems, err
		}
		for _, text := range found {
			if text != "ok" {
				problems = append(problems, "state.db: "+text)
			}
		}
	}
	return problems, nil
}

// pragmaRows are the rows of a pragma, each as one text.
func pragmaRows(ctx context.Context, from *sql.DB, pragma string) (out []string, err error) {
	rows, err := from.QueryContext(ctx, pragma)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values, at := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			at[i] = &values[i]
		}
		if err := rows.Scan(at...); err != nil {
			return out, err
		}
		if len(values) == 1 {
			out = append(out, fmt.Sprint(values[0]))
		} else { // of foreign_key_check: table, row, the table it should be in
			out = append(out, fmt.Sprintf("row %v of %v refers to nothing in %v", values[1], values[0], values[2]))
		}
	}
	return out, rows.Err()
}

func (db *DB) checkLedger(ctx context.Context) (problems []string, err error) {
	type sum struct {
		name   string
		amount int64
	}
	read := func(stmt string) ([]sum, error) {
		return query(ctx, db.base, "check ledger", func(row scanner) (s sum, err error) {
			err = row.Scan(&s.name, &s.amount)
			return s, err
		}, stmt)
	}
	bad, err := read(`SELECT transfer, CAST(SUM(amount) AS BIGINT) FROM postings GROUP BY transfer HAVING SUM(amount) <> 0 ORDER BY transfer LIMIT 20`)
	for _, s := range bad {
		problems = append(problems, fmt.Sprintf("ledger: the postings of %s add up to %d, not to nothing", s.name, s.amount))
	}
	if err != nil {
		return problems, err
	}
	if bad, err = read(`SELECT t.id, 0 FROM transfers t WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.transfer = t.id) ORDER BY t.id LIMIT 20`); err != nil {
		return problems, err
	}
	for _, s := range bad {
		problems = append(problems, fmt.Sprintf("ledger: %s has no postings", s.name))
	}
	if bad, err = read(`SELECT account, CAST(SUM(amount) AS BIGINT) FROM postings GROUP BY account HAVING SUM(amount) < 0 ORDER BY account LIMIT 1000`); err != nil {
		return problems, err
	}
	for _, s := range bad {
		if s.name != Grants && !strings.HasPrefix(s.name, chainPrefix) {
			problems = append(problems, fmt.Sprintf("ledger: the account %s holds %s credits", s.name, Credits(s.amount)))
		}
	}
	return problems, nil
}

// CheckFile looks at a SQLite database that nobody has open, such as one that was
// taken out of a backup, and returns what does not fit.
func CheckFile(ctx context.Context, path string) (problems []string, err error) {
	e, err := openSQLite(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db := (&base{engine: e}).whole()
	problems, err = db.Verify(ctx, true)
	return problems, errors.Join(err, e.close())
}
