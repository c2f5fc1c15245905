// Loads worlds with the format's own library: a line of JSON for each.
#include <iostream>
#include <sdf/sdf.hh>
#include <string>

static std::string plain(const std::string &text) {
  std::string out;
  for (char c : text) out += c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return out;
}

int main(int count, char **files) {
  for (int i = 1; i < count; i++) {
    sdf::Root root;
    auto errors = root.Load(files[i]);
    std::cout << "{\"file\":\"" << files[i] << "\",\"ok\":" << (errors.empty() ? "true" : "false") << ",\"message\":\""
              << (errors.empty() ? "" : plain(errors[0].Message())) << "\"}" << std::endl;
  }
}
