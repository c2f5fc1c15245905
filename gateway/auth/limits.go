package auth

const maxCredential = 8 << 10 // bytes; the largest token of any kind (api §0.1)
