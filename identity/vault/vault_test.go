package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

// cheap is Passphrase at a cost fit for tests.
func cheap(p string) Unlock {
	return Unlock{passphrase: p, cost: cost{Time: 1, Memory: 64, Threads: 1}}
}

func open(t testing.TB, dir string, u Unlock) *Vault {
	t.Helper()
	v, err := Open(dir, u, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func create(t testing.TB, v *Vault, name string, kind Kind) Info {
	t.Helper()
	info, err := v.Create(name, kind)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestKeysSurviveReopening(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for name, u := range map[string]Unlock{
		"passphrase": cheap("correct horse"),
		"key file":   KeyFile(filepath.Join(home, "unlock")),
	} {
		dir := filepath.Join(home, "deep", name)
		v := open(t, dir, u)
		var want []Info
		for _, kind := range []Kind{Agent, Device, Node, PQ, Recovery, Root, Service, Wallet} {
			want = append(want, create(t, v, string(kind), kind))
		}
		again := open(t, dir, u)
		got, err := again.List()
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: list %v, %v, want %v", name, got, err, want)
		}
		for _, info := range want {
			old, secret, err := v.Export(info.Name)
			if err != nil || old != info {
				t.Errorf("%s: export %v, %v", info.Name, old, err)
			}
			if _, now, err := again.Export(info.Name); err != nil || now != secret {
				t.Errorf("%s: the secret changed, %v", info.Name, err)
			}
			if public, err := info.Kind.public(secret); err != nil || public != info.Public {
				t.Errorf("%s: public part %s, %v", info.Name, public, err)
			}
		}
	}
}

func TestSignerSigns(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	seed := [32]byte(bytes.Repeat([]byte{0x11}, 32))
	info, err := v.Import("owner", Agent, seed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := v.Signer("owner")
	if err != nil {
		t.Fatal(err)
	}
	if s.Key() != keys.FromSeed(seed).Key() || info.Public != s.Key().String() {
		t.Errorf("signer of %s, info of %s", s.Key(), info.Public)
	}
	sig := s.Sign([]byte("m"))
	if !keys.Verify(s.Key(), []byte("m"), sig[:]) {
		t.Error("its signature does not verify")
	}
}

func TestWalletKey(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	info, err := v.Import("w", Wallet, [32]byte(bytes.Repeat([]byte{0x11}, 32)))
	if err != nil || info.Public != "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A" {
		t.Fatalf("%v, %v", info, err)
	}
	k, err := v.Wallet("w")
	if err != nil || k.Address().String() != info.Public {
		t.Errorf("%v, %v", k, err)
	}
	if _, err := v.Import("none", Wallet, [32]byte{}); !errors.Is(err, wallet.ErrSecret) {
		t.Errorf("zero secret: %v", err)
	}
	if _, err := v.Signer("w"); !errors.Is(err, ErrKind) {
		t.Errorf("signer of a wallet: %v", err)
	}
	create(t, v, "a", Agent)
	if _, err := v.Wallet("a"); !errors.Is(err, ErrKind) {
		t.Errorf("wallet of an agent: %v", err)
	}
}

func TestHybridFromTwoKeys(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	create(t, v, "a", Agent)
	info := create(t, v, "a.pq", PQ)
	s, err := v.Signer("a")
	if err != nil {
		t.Fatal(err)
	}
	_, seed, err := v.Export("a.pq")
	if err != nil {
		t.Fatal(err)
	}
	h := keys.NewHybridSigner(s, seed)
	if info.Public != hex.EncodeToString(h.Key().PQ) {
		t.Error("the public part is not that of the signer")
	}
	if _, err := v.Signer("a.pq"); !errors.Is(err, ErrKind) {
		t.Errorf("signer of a post-quantum seed: %v", err)
	}
}

func TestWrongKey(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "unlock")
	locked, byFile := filepath.Join(home, "a"), filepath.Join(home, "b")
	open(t, locked, cheap("right"))
	open(t, byFile, KeyFile(file))
	short := filepath.Join(home, "short")
	if err := os.WriteFile(short, []byte("too short"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(home, "other")
	if err := os.WriteFile(other, make([]byte, 32), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dir string
		u   Unlock
	}{
		"another passphrase":          {locked, Passphrase("wrong")},
		"no passphrase":               {locked, Passphrase("")},
		"zero":                        {locked, Unlock{}},
		"key file for a passphrase":   {locked, KeyFile(file)},
		"passphrase for a key file":   {byFile, Passphrase("right")},
		"another key file":            {byFile, KeyFile(other)},
		"key file too short":          {byFile, KeyFile(short)},
		"key file that is not there":  {byFile, KeyFile(file + "2")},
		"key file in no folder there": {byFile, KeyFile(filepath.Join(home, "x", "y"))},
	} {
		if v, err := Open(c.dir, c.u, rand.Reader); !errors.Is(err, ErrWrongKey) || v != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(byFile, Passphrase("right"), rand.Reader); err == nil || !strings.Contains(err.Error(), "locked by keyfile") {
		t.Errorf("the error does not say what would open it: %v", err)
	}
	if _, err := os.Stat(file + "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key file was made for a vault that has another one: %v", err)
	}
}

func TestOpenNeedsAnUnlock(t *testing.T) {
	t.Parallel()
	for name, u := range map[string]Unlock{
		"zero": {}, "empty": Passphrase(""), "huge": Passphrase(strings.Repeat("x", maxPassphrase+1)),
		"file in a missing folder": KeyFile(filepath.Join(t.TempDir(), "x", "y")),
	} {
		dir := t.TempDir() + "/keys"
		if _, err := Open(dir, u, rand.Reader); err == nil {
			t.Errorf("%s opens", name)
		}
		if _, err := os.Stat(filepath.Join(dir, lockFile)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a lock file was made: %v", name, err)
		}
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "keys")
	v := open(t, dir, KeyFile(filepath.Join(dir, "unlock")))
	create(t, v, "a", Agent)
	for name, want := range map[string]fs.FileMode{".": 0o700, "unlock": 0o600, lockFile: 0o600, "a" + suffix: 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

func TestRefusesWhatOthersMayRead(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir, file := filepath.Join(home, "keys"), filepath.Join(home, "unlock")
	v := open(t, dir, KeyFile(file))
	create(t, v, "a", Agent)
	create(t, v, "b", Agent)
	chmod := func(path string, mode fs.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, file, filepath.Join(dir, lockFile)} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		chmod(path, info.Mode().Perm()|0o040)
		if _, err := Open(dir, KeyFile(file), rand.Reader); !errors.Is(err, ErrExposed) || !strings.Contains(err.Error(), "chmod") {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		chmod(path, info.Mode().Perm())
	}
	chmod(v.path("a"), 0o604)
	if _, err := v.Signer("a"); !errors.Is(err, ErrExposed) {
		t.Errorf("signer: %v", err)
	}
	if infos, err := v.List(); !errors.Is(err, ErrExposed) || len(infos) != 1 || infos[0].Name != "b" {
		t.Errorf("list %v, %v", infos, err)
	}
}

func TestDamagedKeyLeavesTheOthers(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"empty":        func([]byte) []byte { return nil },
		"cut":          func(b []byte) []byte { return b[:len(b)/2] },
		"not JSON":     func([]byte) []byte { return []byte("secret!") },
		"huge":         func(b []byte) []byte { return append(b, make([]byte, maxFile)...) },
		"version":      func(b []byte) []byte { return bytes.Replace(b, []byte(`"v": 1`), []byte(`"v": 2`), 1) },
		"name":         func(b []byte) []byte { return bytes.Replace(b, []byte(`"name": "a"`), []byte(`"name": "b"`), 1) },
		"kind":         func(b []byte) []byte { return bytes.Replace(b, []byte(`"agent"`), []byte(`"node"`), 1) },
		"public part":  func(b []byte) []byte { return bytes.Replace(b, []byte("did:key:z6Mk"), []byte("did:key:z6Mj"), 1) },
		"box not hex":  func(b []byte) []byte { return bytes.Replace(b, []byte(`"box": "`), []byte(`"box": "x`), 1) },
		"box too long": func(b []byte) []byte { return bytes.Replace(b, []byte(`"box": "`), []byte(`"box": "00`), 1) },
		"empty box": func(b []byte) []byte {
			return append(b[:bytes.Index(b, []byte(`"box": "`))+8], []byte("\"}")...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := open(t, t.TempDir()+"/keys", cheap("p"))
			create(t, v, "a", Agent)
			create(t, v, "c", Agent)
			before, err := os.ReadFile(v.path("a"))
			if err != nil {
				t.Fatal(err)
			}
			after := damage(bytes.Clone(before))
			if bytes.Equal(before, after) {
				t.Fatal("nothing damaged")
			}
			if err := os.WriteFile(v.path("a"), after, 0o600); err != nil {
				t.Fatal(err)
			}
			var damaged *DamagedError
			if _, err := v.Signer("a"); !errors.As(err, &damaged) || damaged.File != "a.sealed" || !strings.Contains(err.Error(), "a.sealed") {
				t.Errorf("signer: %v", err)
			}
			damaged = nil
			if infos, err := v.List(); !errors.As(err, &damaged) || len(infos) != 1 || infos[0].Name != "c" {
				t.Errorf("list: %v, %v", infos, err)
			}
			if _, err := v.Signer("c"); err != nil {
				t.Errorf("the other key: %v", err)
			}
			if _, err := v.Create("a", Agent); !errors.Is(err, ErrExists) {
				t.Errorf("a damaged key is overwritten: %v", err)
			}
			if err := v.Delete("a"); err != nil {
				t.Errorf("delete: %v", err)
			}
			if _, err := v.List(); err != nil {
				t.Errorf("list after delete: %v", err)
			}
		})
	}
}

func TestKeyUnderAnotherName(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	create(t, v, "root", Root)
	if err := os.Rename(v.path("root"), v.path("agent")); err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	if _, err := v.Signer("agent"); !errors.As(err, &damaged) {
		t.Errorf("a renamed file is taken for the key of its new name: %v", err)
	}
}

// Every byte of a key file matters, or changes nothing.
func TestEveryBitOfAKeyFileIsGuarded(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	create(t, v, "a", Agent)
	want, secret, err := v.Export("a")
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(v.path("a"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if err := os.WriteFile(v.path("a"), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		info, got, err := v.Export("a")
		if err == nil && (info != want || got != secret) {
			t.Fatalf("byte %d changed gives %v", i, info)
		}
		var damaged *DamagedError
		if err != nil && !errors.As(err, &damaged) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
}

func TestDamagedLockIsNotAWrongPassphrase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/keys"
	u := cheap("p")
	v := open(t, dir, u)
	create(t, v, "a", Agent)
	path := filepath.Join(dir, lockFile)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := Open(dir, u, rand.Reader)
		var damaged *DamagedError
		if err == nil && again.master != v.master || err != nil && (!errors.As(err, &damaged) || errors.Is(err, ErrWrongKey)) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	if _, err := Open(dir, u, rand.Reader); !errors.As(err, &damaged) {
		t.Errorf("a lost lock file: %v", err)
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir, u).Signer("a"); err != nil {
		t.Errorf("after it came back: %v", err)
	}
}

// A lock file is not trusted with the memory and time of the machine.
func TestLockCostsAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []cost{
		{0, 64, 1}, {maxArgonTime + 1, 64, 1}, {1, maxArgonMemory + 1, 1}, {1, 64, 0}, {1, 1, 1}, {1, 1 << 20, maxArgonThreads + 1},
	} {
		if c.sane() {
			t.Errorf("%+v is sane", c)
		}
	}
	if c := (cost{argonTime, argonMemory, argonThreads}); !c.sane() {
		t.Errorf("the default %+v is not sane", c)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	for _, name := range []string{
		"", ".", "..", ".hidden", "-rf", "_x", "A", "ä", "a/b", "../a", `a\b`, "a b", "a\x00", "a\n", strings.Repeat("a", maxName+1),
	} {
		if _, err := v.Create(name, Agent); !errors.Is(err, ErrName) {
			t.Errorf("create %q: %v", name, err)
		}
		if _, err := v.Signer(name); !errors.Is(err, ErrName) {
			t.Errorf("signer %q: %v", name, err)
		}
		if err := v.Delete(name); !errors.Is(err, ErrName) {
			t.Errorf("delete %q: %v", name, err)
		}
	}
	for _, name := range []string{
		"a", "0", "agt_ukldpcosev674qojzbr4ogvyh3vskqo7525qwdwwyljsaqu72mdq", "recovery-agt_x", "a.pq", strings.Repeat("a", maxName),
	} {
		create(t, v, name, Agent)
	}
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	first := create(t, v, "a", Agent)
	if _, err := v.Create("a", Node); !errors.Is(err, ErrExists) {
		t.Errorf("create again: %v", err)
	}
	if _, err := v.Import("a", Agent, [32]byte{1}); !errors.Is(err, ErrExists) {
		t.Errorf("import again: %v", err)
	}
	for _, kind := range []Kind{"", "Agent", "key"} {
		if _, err := v.Create("b", kind); !errors.Is(err, ErrKind) {
			t.Errorf("kind %q: %v", kind, err)
		}
	}
	if infos, err := v.List(); err != nil || len(infos) != 1 || infos[0] != first {
		t.Errorf("list %v, %v", infos, err)
	}
}

func TestMissingKey(t *testing.T) {
	t.Parallel()
	v := open(t, t.TempDir()+"/keys", cheap("p"))
	if _, err := v.Signer("a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("signer: %v", err)
	}
	if _, err := v.Wallet("a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("wallet: %v", err)
	}
	if _, _, err := v.Export("a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("export: %v", err)
	}
	if err := v.Delete("a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("delete: %v", err)
	}
	create(t, v, "a", Agent)
	if err := v.Delete("a"); err != nil {
		t.Fatal(err)
	}
	if infos, err := v.List(); err != nil || len(infos) != 0 {
		t.Errorf("after delete: %v, %v", infos, err)
	}
}

func TestChangeUnlock(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "keys")
	file := KeyFile(filepath.Join(home, "unlock"))
	v := open(t, dir, file)
	info := create(t, v, "a", Agent)
	for i, step := range []struct{ old, next Unlock }{
		{file, cheap("one")}, {cheap("one"), cheap("two")}, {cheap("two"), file},
	} {
		if err := v.ChangeUnlock(step.next); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, step.old, rand.Reader); !errors.Is(err, ErrWrongKey) {
			t.Errorf("step %d: the old one: %v", i, err)
		}
		if infos, err := open(t, dir, step.next).List(); err != nil || len(infos) != 1 || infos[0] != info {
			t.Errorf("step %d: list %v, %v", i, infos, err)
		}
	}
	if err := v.ChangeUnlock(Unlock{}); err == nil {
		t.Error("locked by nothing")
	}
	open(t, dir, file)
}

func TestRandomnessThatEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("no entropy")
	for n := range 200 {
		dir := t.TempDir() + "/keys"
		v, err := Open(dir, cheap("p"), io.MultiReader(bytes.NewReader(make([]byte, n)), iotest.ErrReader(broken)))
		if err == nil {
			_, err = v.Create("a", Agent)
		}
		if err == nil {
			if n < saltSize+2*secretSize {
				t.Errorf("%d bytes were enough", n)
			}
			return
		}
		if !errors.Is(err, broken) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if names, err := keyNames(dir); err != nil || len(names) != 0 {
			t.Fatalf("%d bytes: left %v, %v", n, names, err)
		}
	}
	t.Error("200 bytes are not enough for a vault and a key")
}

func TestOpenSweepsUnfinishedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/keys"
	open(t, dir, cheap("p"))
	left := filepath.Join(dir, unfinished+"123")
	kept := filepath.Join(dir, "owner.api-key")
	for _, path := range []string{left, kept} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := open(t, dir, cheap("p"))
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unfinished file: %v", err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("foreign file: %v", err)
	}
	if infos, err := v.List(); err != nil || len(infos) != 0 {
		t.Errorf("list %v, %v", infos, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/keys"
	v := open(t, dir, cheap("p"))
	create(t, v, "shared", Agent)
	var wg sync.WaitGroup
	var made sync.Map
	for i := range 8 {
		wg.Go(func() {
			mine := fmt.Sprintf("k%d", i)
			if _, err := v.Create(mine, Agent); err != nil {
				t.Error(err)
			}
			if _, err := v.Create("contended", Agent); err == nil {
				made.Store(i, true)
			} else if !errors.Is(err, ErrExists) {
				t.Error(err)
			}
			if _, err := v.Signer("shared"); err != nil {
				t.Error(err)
			}
			if _, err := v.List(); err != nil {
				t.Error(err)
			}
			if i%2 == 0 {
				if err := v.Delete(mine); err != nil {
					t.Error(err)
				}
			} else if err := v.ChangeUnlock(cheap("p")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	count := 0
	made.Range(func(any, any) bool { count++; return true })
	if count != 1 {
		t.Errorf("%d made the contended key", count)
	}
	if infos, err := open(t, dir, cheap("p")).List(); err != nil || len(infos) != 6 {
		t.Errorf("%d keys, %v", len(infos), err)
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/keys"
	u := cheap("canary-passphrase")
	v := open(t, dir, u)
	secret := [32]byte(bytes.Repeat([]byte{0xab}, 32))
	if _, err := v.Import("a", Agent, secret); err != nil {
		t.Fatal(err)
	}
	s, err := v.Signer("a")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "vault", v, "unlock", u, "pointer", &u, "signer", s)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%X", "%q"} {
		fmt.Fprintf(&out, verb+verb+verb+verb, v, u, &u, s)
	}
	wrong, _ := Open(dir, cheap("other-canary"), rand.Reader)
	_, err = Open(dir, Passphrase("third-canary"), rand.Reader)
	_, exists := v.Import("a", Agent, secret)
	fmt.Fprint(&out, wrong, err, exists)
	for _, file := range []string{"a" + suffix, lockFile} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		out.Write(data)
	}
	for _, leak := range []string{
		"canary", hex.EncodeToString([]byte("canary")), "abababab", "ABABABAB", "171 171", "q6urq6ur",
		hex.EncodeToString(v.master[:]), fmt.Sprint(v.master[:4])[1:12],
	} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("%q is printed", leak)
		}
	}
}

func FuzzReadKeyFile(f *testing.F) {
	dir := f.TempDir() + "/keys"
	v := open(f, dir, cheap("p"))
	create(f, v, "a", Agent)
	good, err := os.ReadFile(v.path("a"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"v":1,"name":"a","kind":"agent","public":"","box":""}`))
	f.Add([]byte(`{}`))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Equal(data, good) {
			return
		}
		dir := t.TempDir()
		w := &Vault{dir: dir, rand: rand.Reader, master: v.master}
		if err := os.WriteFile(w.path("a"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		var damaged *DamagedError
		if _, err := w.Signer("a"); !errors.As(err, &damaged) {
			t.Fatalf("got %v", err)
		}
	})
}

func FuzzReadLock(f *testing.F) {
	f.Add([]byte(`{"v":1,"by":"passphrase","argon2id":{"time":1,"memory":64,"threads":1},"salt":"","box":"","check":""}`))
	f.Add([]byte(`{"v":1,"by":"keyfile","box":"00","check":"00"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, lockFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openLock(dir, Passphrase("p")); err == nil {
			t.Fatal("a foreign lock file opens")
		}
	})
}

func BenchmarkOpenPassphrase(b *testing.B) {
	dir := b.TempDir() + "/keys"
	open(b, dir, Passphrase("p"))
	for b.Loop() {
		open(b, dir, Passphrase("p"))
	}
}

func BenchmarkOpenKeyFile(b *testing.B) {
	home := b.TempDir()
	u := KeyFile(home + "/unlock")
	open(b, home+"/keys", u)
	for b.Loop() {
		open(b, home+"/keys", u)
	}
}

func BenchmarkSigner(b *testing.B) {
	v := open(b, b.TempDir()+"/keys", cheap("p"))
	create(b, v, "a", Agent)
	for b.Loop() {
		if _, err := v.Signer("a"); err != nil {
			b.Fatal(err)
		}
	}
}
