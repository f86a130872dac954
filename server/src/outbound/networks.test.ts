import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOSED } from '../../test/closed-addresses.ts'
import { isNetwork } from '../core/network.ts'
import { Networks } from './networks.ts'

const OPEN =
  `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255 172.15.255.255
  172.32.0.0 192.0.1.0 192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2a00:1450::1 2001:4860:4860::8888 3ffe::1`.split(
    /\s+/,
  )

test('addresses of special use are closed, and public ones are open', () => {
  const networks = new Networks([])
  for (const address of CLOSED) assert.equal(networks.isOpen(address), false, address)
  for (const address of OPEN) assert.equal(networks.isOpen(address), true, address)
  for (const text of ['', 'localhost', '127.1', '0x7f000001', '2130706433', '1.1.1.1 ', '1.1.1.1:80'])
    assert.equal(networks.isOpen(text), false, text)
})

test('a network that the operator opened is open, in either notation, and no other', () => {
  const networks = new Networks(['127.0.0.0/8', '192.168.1.7', 'fd00::/8'])
  for (const address of ['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', '192.168.1.7', 'fd12::1'])
    assert.deepEqual([networks.isOpen(address), networks.isAllowed(address)], [true, true], address)
  for (const address of ['192.168.1.8', '10.0.0.1', '::1', 'fc00::1']) assert.equal(networks.isOpen(address), false, address)
  assert.deepEqual([networks.isOpen('8.8.8.8'), networks.isAllowed('8.8.8.8')], [true, false])
})

test('networks are addresses with or without a number of bits', () => {
  for (const text of ['10.0.0.0/8', '10.1.2.3', '::1', 'fd00::/8', '0.0.0.0/0', '::/0', '1.2.3.4/32', '::1/128'])
    assert.ok(isNetwork(text), text)
  for (const text of [
    '',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/8/8',
    '10.0/8',
    '10.0.0.0/-1',
    '10.0.0.0/8x',
    ' 10.0.0.1',
  ])
    assert.equal(isNetwork(text), false, text)
})
