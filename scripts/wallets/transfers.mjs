// Writes the golden vectors of identity/wallet/testdata/eip3009 with ethers:
// transfers of USDC by EIP-3009, their digests and signatures.
// Usage: node transfers.mjs > ../../identity/wallet/testdata/eip3009/transfers.json
import { ethers } from 'ethers'

const tokens = [
  { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  { name: 'USDC', version: '2', chainId: 84532, verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
]
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' }, { name: 'to', type: 'address' }, { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' }, { name: 'validBefore', type: 'uint256' }, { name: 'nonce', type: 'bytes32' },
  ],
}
const values = [
  [1n, 0n, 1n], [99_999n, 0n, 1_772_366_460n], [100_000n, 1_772_365_800n, 1_772_366_460n],
  [1_000_000_000n, 1n, 2_000_000_000n], [0n, 0n, 0n], [2n ** 63n, 2n ** 40n, 2n ** 64n - 1n],
]

const out = []
for (const domain of tokens) {
  for (const [i, [value, validAfter, validBefore]] of values.entries()) {
    const secret = ethers.id(`mesh transfer secret ${i}`) // a hash, so that anybody makes the same
    const wallet = new ethers.Wallet(secret)
    const message = {
      from: wallet.address, to: ethers.computeAddress(ethers.id(`mesh transfer recipient ${i}`)),
      value, validAfter, validBefore, nonce: ethers.id(`mesh transfer nonce ${i}`),
    }
    out.push({
      domain, secret,
      message: { ...message, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` },
      separator: ethers.TypedDataEncoder.hashDomain(domain),
      digest: ethers.TypedDataEncoder.hash(domain, types, message),
      signature: await wallet.signTypedData(domain, types, message),
    })
  }
}
console.log(JSON.stringify({ made_by: `ethers ${ethers.version}`, transfers: out }, null, 1))
