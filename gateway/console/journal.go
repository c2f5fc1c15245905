package console

import (
	"fmt"
	"strings"
	"time"

	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/status"
)

// logView is the page of the log and of what did not work.
type logView struct {
	Incidents []status.Incident
	Breakers  []status.CircuitBreaker
	Lines     []logLine
	Level     string
	Query     string
	File      string
}

// logLine is a line of the log, with its level where it has one.
type logLine struct{ Level, Text string }

func (m machine) log(v *visit) (answer, error) {
	r := status.IncidentsForm.Defaults()
	got, err := m.Service.Status.AdminIncidents(v.caller, r)
	if err != nil {
		return answer{}, err
	}
	page := logView{Incidents: got.Incidents, Level: v.URL.Query().Get("level"), Query: strings.TrimSpace(v.URL.Query().Get("q"))}
	for _, b := range got.Breakers {
		if b.State != "closed" {
			page.Breakers = append(page.Breakers, b)
		}
	}
	all := m.Process.Recent()
	for i := len(all) - 1; i >= 0; i-- { // the newest line first
		line := logLine{levelOf(all[i]), all[i]}
		if page.Level == "warn" && line.Level != "warn" && line.Level != "error" {
			continue
		}
		if page.Query != "" && !strings.Contains(strings.ToLower(line.Text), strings.ToLower(page.Query)) {
			continue
		}
		page.Lines = append(page.Lines, line)
	}
	return draw("log", "Log", page), nil
}

// levelOf is the level of a line of the log, in either of its formats.
func levelOf(line string) string {
	for _, l := range []string{"error", "warn"} {
		u := strings.ToUpper(l)
		if strings.Contains(line, "level="+u) || strings.Contains(line, `"level":"`+u+`"`) {
			return l
		}
	}
	return "info"
}

// activityView is the page with the charts: what was written, day by day and by domain.
type activityView struct {
	Days    []dayBar
	Most    int // entries of the fullest day
	Sum     int // entries of all days shown
	Cut     bool
	Domains []domainBar
}

// dayBar is a day of the chart.
type dayBar struct {
	Day   string // 2 Jan
	X     int    // left edge
	Count int
	Parts []barPart
}

// barPart is the part of a day's bar that entries of one type have.
type barPart struct {
	Type         string
	Count, Y, Hi int
}

// domainBar is a domain of the chart.
type domainBar struct {
	Domain string
	Count  int
	Width  int // in per cent of the largest
	Peers  int
}

// The chart of days: its size in units of the picture.
const (
	chartDays  = 30
	chartHigh  = 120
	chartStep  = 20
	chartMost  = 2000 // entries that are counted for it, the newest ones
	domainsTop = 12
)

// Types are the types of entries in the order of the chart, from the ground up.
var chartTypes = []string{"wisdom", "pattern", "gotcha"}

func (m machine) activity(v *visit) (answer, error) {
	counts, domains := map[string]map[string]int{}, map[string]int{}
	page := activityView{}
	since := m.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-chartDays)
	r := knowledge.FeedForm.Defaults()
	r.Limit = 100
	seen := 0
	for more := true; more; {
		feed, err := m.Service.Knowledge.Feed(v.Context(), v.caller, r)
		if err != nil {
			return answer{}, err
		}
		for _, e := range feed.Entries {
			p := e.Public()
			at, err := time.Parse(time.RFC3339, p.CreatedAt)
			if err != nil {
				continue
			}
			if at.Before(since) {
				more = false
				break
			}
			day := at.UTC().Format("2006-01-02")
			if counts[day] == nil {
				counts[day] = map[string]int{}
			}
			counts[day][p.Type]++
			domains[p.Domain]++
			seen++
		}
		if seen >= chartMost {
			page.Cut, more = true, false
		}
		if feed.NextCursor == nil || *feed.NextCursor == "" {
			break
		}
		r.Cursor = *feed.NextCursor
	}
	for i := range chartDays {
		day := since.AddDate(0, 0, i)
		b := dayBar{Day: day.Format("2 Jan"), X: i * chartStep}
		for _, n := range counts[day.Format("2006-01-02")] {
			b.Count += n
		}
		page.Most, page.Sum = max(page.Most, b.Count), page.Sum+b.Count
		page.Days = append(page.Days, b)
	}
	for i := range page.Days {
		b := &page.Days[i]
		ground := chartHigh
		for _, t := range chartTypes {
			n := counts[since.AddDate(0, 0, i).Format("2006-01-02")][t]
			if n == 0 {
				continue
			}
			hi := max(2, n*(chartHigh-4)/page.Most)
			ground -= hi
			b.Parts = append(b.Parts, barPart{t, n, ground, hi})
		}
	}
	names := byCount(domains)
	for _, d := range names[:min(domainsTop, len(names))] {
		page.Domains = append(page.Domains, domainBar{Domain: d, Count: domains[d], Width: max(1, 100*domains[d]/domains[names[0]])})
	}
	return draw("activity", "Activity", page), nil
}

// bytesText writes a number of bytes for people.
func bytesText(n uint64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
}

// clip is the beginning of a fingerprint.
func clip(fp string) string { return fp[:min(16, len(fp))] }
