import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { freePort } from './nats.ts'

const program = '/usr/sbin/postfix'

/** It is started as root only, and then drops its rights. */
export const hasPostfix = (): boolean => existsSync(program) && process.getuid?.() === 0

/** Postfix on loopback, which delivers `fine@example.com` to a Maildir and rejects everything else. */
export interface Postfix {
  url: string
  /** The delivered emails. */
  delivered(): string[]
  stop(): Promise<void>
}

const services = `
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`

/** Starts it in a folder of its own, with a certificate of its own. */
export async function startPostfix(): Promise<Postfix> {
  // Its processes run as other users, who can't enter the folder of a test run.
  const home = mkdtempSync('/tmp/postfix-')
  chmodSync(home, 0o755)
  const at = (name: string) => join(home, name)
  for (const name of ['conf', 'queue', 'data', 'mail']) mkdirSync(at(name), { mode: 0o755 })
  const [uid, gid] = idsOf('postfix')
  chownSync(at('data'), uid, gid)
  chownSync(at('mail'), 65_534, 65_534)
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes']
  await run(
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-keyout',
    at('key.pem'),
    '-out',
    at('cert.pem'),
    ...subject,
  )
  const port = freePort()
  const settings = {
    compatibility_level: '3.6',
    queue_directory: at('queue'),
    data_directory: at('data'),
    command_directory: '/usr/sbin',
    daemon_directory: '/usr/lib/postfix/sbin',
    mail_owner: 'postfix',
    setgid_group: 'postdrop',
    myhostname: 'mx.example.com',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    mydestination: '',
    virtual_mailbox_domains: 'example.com',
    virtual_mailbox_base: at('mail'),
    virtual_mailbox_maps: 'inline:{ { fine@example.com = fine/ } }',
    virtual_minimum_uid: '100',
    virtual_uid_maps: 'static:65534',
    virtual_gid_maps: 'static:65534',
    default_transport: 'error:loopback only',
    relay_transport: 'error:loopback only',
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_tls_cert_file: at('cert.pem'),
    smtpd_tls_key_file: at('key.pem'),
    smtpd_tls_security_level: 'may',
    maillog_file: '/var/log/postfix-test.log',
    maillog_file_prefixes: '/var',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(at('conf/main.cf'), `${lines.join('\n')}\n`)
  writeFileSync(at('conf/master.cf'), `127.0.0.1:${port} inet n - n - - smtpd${services}`)
  await run(program, '-c', at('conf'), 'start')
  const inbox = join(at('mail'), 'fine', 'new')
  return {
    url: `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    delivered: () =>
      existsSync(inbox) ? readdirSync(inbox).map((name) => readFileSync(join(inbox, name), 'utf8')) : [],
    stop: async () => {
      await run(program, '-c', at('conf'), 'abort').catch(() => {})
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function idsOf(user: string): [uid: number, gid: number] {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return [Number(uid), Number(gid)]
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = (await Promise.all([child.stdout, child.stderr].map(Bun.readableStreamToText))).join('')
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed:\n${output}`)
}
