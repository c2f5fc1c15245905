package pipeline

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// timing says when a pipeline runs. The zero value is a pipeline that somebody
// starts by hand.
type timing struct {
	cron  string // five fields of numbers, in UTC, as every cron reads them alike
	every int    // seconds between runs that no line of cron says; then cron is empty
	wrong string // why the schedule of the source is none
}

// fieldSpans are the ranges of minute, hour, day, month and weekday.
var fieldSpans = [5][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}}

var fieldNames = [5][]string{
	3: {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}, 4: {"sun", "mon", "tue", "wed", "thu", "fri", "sat"},
}

var shortForms = map[string]string{
	"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *",
	"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}

const (
	days     = 2 // index of a field
	weekdays = 4
)

// timingOf reads the schedule of a pipeline: five fields, a short form, or a
// number of seconds.
func timingOf(pipeline scene.Value) timing {
	v, ok := scene.Get(pipeline, "schedule")
	if on, there := scene.Get(pipeline, "enabled"); !ok || there && on.Kind == trait.Bool && !on.Bool {
		return timing{}
	}
	switch v.Kind {
	case trait.Number:
		return everySeconds(v.Num)
	case trait.Text:
		line := v.Str
		if long, ok := shortForms[line]; ok {
			line = long
		}
		if cron, ok := plainCron(line); ok {
			return timing{cron: cron}
		}
		return timing{wrong: "a schedule that is no line of five fields is left out"}
	}
	return timing{wrong: "a schedule that is known only at run time is left out"}
}

// everySeconds is the line of cron that says every so many seconds, where there
// is one.
func everySeconds(seconds float64) timing {
	if !(seconds >= 0.5 && seconds <= 366*24*3600) {
		return timing{wrong: "a schedule of less than half a second or more than a year is left out"}
	}
	n := int(math.Round(seconds))
	if n%60 == 0 {
		switch minutes := n / 60; {
		case minutes == 1:
			return timing{cron: "* * * * *"}
		case minutes < 60 && 60%minutes == 0:
			return timing{cron: fmt.Sprintf("*/%d * * * *", minutes)}
		case minutes == 60:
			return timing{cron: "0 * * * *"}
		case minutes%60 == 0 && minutes < 24*60 && 24%(minutes/60) == 0:
			return timing{cron: fmt.Sprintf("0 */%d * * *", minutes/60)}
		case minutes == 24*60:
			return timing{cron: "0 0 * * *"}
		}
	}
	return timing{every: n}
}

// plainCron rewrites a line of cron so that all readers agree on it: numbers for
// names, 0 for the Sunday that is written as 7, and stars in the fields of days
// only where they mean that the other one decides.
func plainCron(line string) (string, bool) {
	fields := strings.Fields(line)
	if len(fields) != len(fieldSpans) {
		return "", false
	}
	written := slices.Clone(fields)
	always := [5]bool{} // every value fits, though more than a star is written
	for i, f := range fields {
		if f == "*" {
			continue
		}
		parts := strings.Split(f, ",")
		for k, part := range parts {
			plain, all, ok := plainPart(part, i)
			if !ok {
				return "", false
			}
			parts[k], always[i] = plain, always[i] || all
		}
		fields[i] = strings.Join(parts, ",")
	}
	// Of two fields of days that are both written, either decides: one that is
	// always so does it for both.
	if (always[days] || always[weekdays]) && written[days] != "*" && written[weekdays] != "*" {
		always[days], always[weekdays] = true, true
	}
	for i := range fields {
		if always[i] {
			fields[i] = "*"
		}
	}
	return strings.Join(fields, " "), true
}

// plainPart is one part of a field, and whether it stands for every value.
func plainPart(part string, field int) (plain string, all, ok bool) {
	span, stepText, stepped := strings.Cut(part, "/")
	step := 1
	if stepped {
		n, err := strconv.Atoi(stepText)
		if err != nil || n < 1 {
			return "", false, false
		}
		step = n
	}
	low, high := fieldSpans[field][0], fieldSpans[field][1]
	if field == weekdays {
		high = 6
	}
	if span == "*" {
		switch {
		case step == 1:
			return "*", true, true
		case field == days || field == weekdays: // a star before a step is read in two ways
			return fmt.Sprintf("%d-%d/%d", low, high, step), false, true
		}
		return fmt.Sprintf("*/%d", step), false, true
	}
	from, to, ranged := strings.Cut(span, "-")
	a, ok := cronNumber(from, field)
	if !ok {
		return "", false, false
	}
	b := a
	switch {
	case ranged:
		if b, ok = cronNumber(to, field); !ok || b < a {
			return "", false, false
		}
	case stepped:
		b = fieldSpans[field][1]
	}
	if field == weekdays && b == 7 { // the one that is 0 also
		var list []int
		for n := a; n <= b; n += step {
			list = append(list, n%7)
		}
		slices.Sort(list)
		list = slices.Compact(list)
		words := make([]string, len(list))
		for i, n := range list {
			words[i] = strconv.Itoa(n)
		}
		return strings.Join(words, ","), false, true
	}
	switch {
	case a == b:
		return strconv.Itoa(a), false, true
	case step == 1:
		return fmt.Sprintf("%d-%d", a, b), false, true
	}
	return fmt.Sprintf("%d-%d/%d", a, b, step), false, true
}

func cronNumber(text string, field int) (int, bool) {
	if i := slices.Index(fieldNames[field], strings.ToLower(text)); i >= 0 {
		return fieldSpans[field][0] + i, true
	}
	if len(text) > 2 || strings.TrimLeft(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= fieldSpans[field][0] && n <= fieldSpans[field][1]
}

// minutesOf are the minutes that the first field of a plain line names.
func minutesOf(cron string) []int {
	field, _, _ := strings.Cut(cron, " ")
	var out []int
	for _, part := range strings.Split(field, ",") {
		span, stepText, _ := strings.Cut(part, "/")
		step := max(1, digits(stepText))
		low, high := 0, 59
		if span != "*" {
			from, to, ranged := strings.Cut(span, "-")
			low, high = digits(from), digits(from)
			if ranged {
				high = digits(to)
			}
		}
		for n := low; n <= high; n += step {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func digits(text string) int {
	n, _ := strconv.Atoi(text) // a plain line contains numbers only
	return n
}
