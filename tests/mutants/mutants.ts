/** A mistake that tests must notice: `from` becomes `to` in one place of a file. */
export interface Mutant {
  name: string
  file: string
  from: string
  to: string
  /** The tests that are run against it. */
  tests: string[]
}

// The first ten are those of the review of the first release that its tests caught.
export const mutants: Mutant[] = [
  {
    name: 'rate limits grant a full block when less is left',
    file: 'src/lib/limits/leases.ts',
    from: 'Math.min(block, Math.max(0, quota - (taken - block)))',
    to: 'block',
    tests: ['tests/lib/limits.test.ts'],
  },
  {
    name: 'revocations are not waited for',
    file: 'src/lib/events/acks.ts',
    from: '      await promise\n',
    to: '',
    tests: ['tests/lib/events.test.ts'],
  },
  {
    name: 'only the first address of a name is checked',
    file: 'src/lib/outbound/addresses.ts',
    from: 'found.find((address) => !permits(address))',
    to: 'found.slice(0, 1).find((address) => !permits(address))',
    tests: ['tests/lib/outbound.test.ts'],
  },
  {
    name: 'a server publishes a post whose lease another one holds',
    file: 'src/social/publishing/prepare-attempt.ts',
    from: ' || row.post.leaseOwner !== owner) return undefined',
    to: ') return undefined',
    tests: ['tests/social/settle.test.ts'],
  },
  {
    name: 'a server settles an attempt that another one took over',
    file: 'src/social/publishing/settle.ts',
    from: '        eq(publishAttempts.leaseOwner, attempt.leaseOwner),\n',
    to: '',
    tests: ['tests/social/settle.test.ts'],
  },
  {
    name: 'a used refresh token works for ten minutes',
    file: 'src/identity/tokens/refresh.ts',
    from: 'const reuseGraceMs = 10_000',
    to: 'const reuseGraceMs = 600_000',
    tests: ['tests/identity/sessions.test.ts'],
  },
  {
    name: 'requests of sibling sites pass',
    file: 'src/lib/request/origin.ts',
    from: "site === 'same-origin'",
    to: "site.startsWith('same-')",
    tests: ['tests/operations/access.test.ts'],
  },
  {
    name: 'the audit log shows secrets',
    file: 'src/lib/audit.ts',
    from: '/password|secret|',
    to: '/password|',
    tests: ['tests/lib/audit.test.ts'],
  },
  {
    name: 'a bound key makes keys that reach further',
    file: 'src/identity/api-keys/issue/authority.ts',
    from: "  if (!isBoundWithin(actor.bindings, bindings)) throw beyondOwnKey('has access to other resources')\n",
    to: '',
    tests: [
      'tests/identity/api-keys.test.ts',
      'tests/identity/bindable-resources.test.ts',
      'tests/identity/limited-roles.test.ts',
    ],
  },
  {
    name: 'two requests with one idempotency key run side by side',
    file: 'src/lib/idempotency.ts',
    from: "  if (!lock?.['held']) throw inProgress()\n",
    to: '  void lock\n',
    tests: ['tests/lib/idempotency.test.tsx', 'tests/social/idempotency.test.ts'],
  },
  {
    name: 'lists leave out the extra row that shows whether more follow',
    file: 'src/lib/paginate.ts',
    from: 'rows.length > maxItems && last',
    to: 'rows.length > maxItems + 1 && last',
    tests: ['tests/social/post-list.test.ts', 'tests/platform/lists.test.ts'],
  },
  {
    name: 'a malformed id in a path is 422',
    file: 'src/lib/request/input.ts',
    from: 'params.has(String(issue.path[0]))',
    to: 'params.has(String(issue.path[1]))',
    tests: ['tests/operations/body.test.ts'],
  },
  {
    name: 'a refusal by the schema names no field',
    file: 'src/lib/request/input.ts',
    from: 'return [{ path, message: messageOf(',
    to: "return [{ path: 'input', message: messageOf(",
    tests: ['tests/operations/junk.test.ts'],
  },
  {
    name: 'posts of other organizations are found by their id',
    file: 'src/social/posts/posts.ts',
    from: 'and(eq(posts.id, id), withinTenant(db, actor, posts.brandId))',
    to: 'eq(posts.id, id)',
    tests: ['tests/operations/tenancy.test.ts'],
  },
  {
    name: 'scripts of any nonce run',
    file: 'src/lib/response/respond.ts',
    from: "script-src 'self' 'nonce-${nonce}'",
    to: "script-src 'self' 'unsafe-inline'",
    tests: ['tests/operations/pages.test.ts'],
  },
  {
    name: 'a body of unknown type is read as JSON',
    file: 'src/lib/request/body.ts',
    from: "media === 'application/json' || media.endsWith('+json')",
    to: "media !== 'application/x-www-form-urlencoded' && media !== 'multipart/form-data'",
    tests: ['tests/operations/body.test.ts'],
  },
  {
    name: 'an emailed link works twice',
    file: 'src/identity/sign-in/magic-links/links.ts',
    from: 'await db.delete(magicLoginTokens).where(isUsable(token, now)).returning()',
    to: 'await db.select().from(magicLoginTokens).where(isUsable(token, now))',
    tests: ['tests/identity/magic-links.test.ts'],
  },
  {
    name: 'sealed texts open in another row',
    file: 'src/lib/secrets.ts',
    from: 'return decrypt(dataKey, body, context).toString()',
    to: 'return decrypt(dataKey, body, context.slice(0, 0)).toString()',
    tests: ['tests/lib/secrets.test.ts'],
  },
  {
    name: 'any member passes for an admin',
    file: 'src/lib/authorize.ts',
    from: 'actor.organization !== null && atLeast(actor.organization.role, needed)',
    to: 'actor.organization !== null',
    tests: ['tests/operations/access.test.ts'],
  },
  {
    name: 'guesses that run at once are all answered',
    file: 'src/identity/sign-in/login-throttle.ts',
    from: '  await requireNoWait(db, by, now())\n  if (right)',
    to: '  if (right)',
    tests: ['tests/identity/login-throttle.test.ts'],
  },
  {
    name: 'locks of lost connections are left held',
    file: 'src/lib/postgres/watch.ts',
    from: '    if (pids.length > 0) await endBackends(sql, pids)\n',
    to: '',
    tests: ['tests/lib/database.test.ts'],
  },
  {
    name: 'ask runs an operation without its permission',
    file: 'src/lib/http/create-call.ts',
    from: 'return permit(http, actor, { context, permission, callers, services })',
    to: 'void [permit, http, context, callers, services]\n  return actor',
    tests: ['tests/lib/ask.test.tsx'],
  },
  {
    name: 'pages show personal settings to sessions of single sign-on',
    file: 'src/lib/http/create-call.ts',
    from: "  if (permission === 'signed-in' && personal !== false) requireOwnSession(actor)\n",
    to: '  void [personal, requireOwnSession]\n',
    tests: ['tests/lib/ask.test.tsx', 'tests/identity/confined-sessions.test.ts'],
  },
  {
    name: 'changed transactions of the ledger pass its verification',
    file: 'src/payments/ledger/check-chain.ts',
    from: 'hashFault(one)].filter',
    to: 'null].filter',
    tests: ['tests/payments/ledger-chain.test.ts'],
  },
  {
    name: 'two servers append to a chain at the same time',
    file: 'src/payments/ledger/heads.ts',
    from: 'ORDER BY merchant_id FOR UPDATE',
    to: 'ORDER BY merchant_id',
    tests: ['tests/payments/ledger-chain.test.ts'],
  },
  {
    name: 'an old state of the provider replaces a newer one',
    file: 'src/payments/checkout/apply.ts',
    from: 'payment && payment.version === seen.version ?',
    to: 'payment ?',
    tests: ['tests/chaos/payment-events.test.ts'],
  },
]
