package main

import (
	"strings"
	"testing"
)

const wholeList = `<?xml version="1.0" encoding="utf-8"?>
<!-- made -->
<plist version="1.0"><dict>
<key>CFBundleDevelopmentRegion</key><string>en</string><key>CFBundleExecutable</key><string>a</string><key>CFBundleIdentifier</key><string>a</string>
<key>CFBundleInfoDictionaryVersion</key><string>6.0</string><key>CFBundleName</key><string>a</string><key>CFBundlePackageType</key><string>APPL</string>
<key>CFBundleShortVersionString</key><string>1</string><key>CFBundleVersion</key><string>1</string>
<key>Flag</key><true/><key>List</key><array><string>x</string><dict><key>k</key><false/></dict></array>
</dict></plist>`

func TestPropertyLists(t *testing.T) {
	if err := readPropertyList([]byte(wholeList)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"a missing key":          {"<key>CFBundleVersion</key><string>1</string>", ""},
		"a key without a value":  {"<key>Flag</key><true/>", "<key>Flag</key>"},
		"a value without a key":  {"<key>Flag</key><true/>", "<true/>"},
		"a key twice":            {"<key>Flag</key>", "<key>List</key>"},
		"an unknown kind":        {"<true/>", "<yes/>"},
		"a flag that holds text": {"<true/>", "<true>x</true>"},
		"text between":           {"<true/>", "<true/>x"},
		"another root":           {"plist", "list"},
		"broken XML":             {"</dict></plist>", "</dict>"},
		"two dictionaries":       {"</dict></plist>", "</dict><dict/></plist>"},
	} {
		if err := readPropertyList([]byte(strings.ReplaceAll(wholeList, change[0], change[1]))); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}
