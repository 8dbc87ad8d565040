import type { Children } from '@kitajs/html'
import { Icon, type IconName } from '#views/ui/icon.tsx'

/** Pictures of the product with example data, drawn with its own parts. Nothing in them can be reached. */
const Picture = ({ label, children }: { label: string; children: Children }) => (
  <div class="scene" role="img" aria-label={label}>
    <div inert>{children}</div>
  </div>
)

const Card = ({ title, end, children }: { title: string; end?: Children; children: Children }) => (
  <div class="card">
    <header>
      <b class="grow" safe>
        {title}
      </b>
      {end}
    </header>
    {children}
  </div>
)

const Mark = ({ state, icon, word }: { state: string; icon: IconName; word: string }) => (
  <span class="status" data-state={state}>
    <Icon name={icon} />
    <span safe>{word}</span>
  </span>
)

const attempts: { state: string; icon: IconName; title: string; at: string; text: string }[] = [
  {
    state: 'info',
    icon: 'send',
    title: 'Attempt recorded, then sent to Bluesky',
    at: '14:00:00',
    text: 'After a crash, the record says that it may have been sent.',
  },
  {
    state: 'failed',
    icon: 'x',
    title: 'The server is killed during the request',
    at: '14:00:01',
    text: 'No response arrived. The post may be out, or not.',
  },
  {
    state: 'waiting',
    icon: 'search',
    title: 'Another server checks first',
    at: '14:00:31',
    text: 'It asks Bluesky for the record key that it chose. The post is there.',
  },
  {
    state: 'succeeded',
    icon: 'check',
    title: 'Published, once',
    at: '14:00:32',
    text: 'No second attempt. The next part of the thread follows.',
  },
]

export const PublishScene = () => (
  <Picture label="An example of a post’s history: the attempt is recorded, the server is killed, another one finds the post on Bluesky and marks it as published once.">
    <Card title="How we choose a coffee" end={<Mark state="published" icon="circle-check" word="Published" />}>
      <div class="body">
        <ol class="timeline">
          {attempts.map(({ state, icon, title, at, text }) => (
            <li data-state={state}>
              <span class="mark">
                <Icon name={icon} />
              </span>
              <div>
                <div class="head">
                  <b safe>{title}</b>
                  <time safe>{at}</time>
                </div>
                <small safe>{text}</small>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  </Picture>
)

const budgets = [
  { name: 'Acme', of: 'everything, month', spent: '$412.86 of $600', value: '69%' },
  { name: 'Social', of: 'AI, week', spent: '$91.20 of $100', value: '91%', tone: 'warning' },
  { name: 'Studio', of: 'AI, day', spent: '$20.00 of $20', value: '100%', tone: 'destructive' },
]

export const GatewayScene = () => (
  <Picture label="An example of budgets: Acme at $412.86 of $600, Social at $91.20 of $100, Studio at its limit of $20. A call of Studio was refused before it cost anything.">
    <Card title="Budgets" end={<span class="badge">Hard limits</span>}>
      <div class="body stack" style="--gap: 1rem">
        {budgets.map(({ name, of, spent, value, tone }) => (
          <div class="stack" style="--gap: .375rem">
            <div class="row">
              <span class="grow">
                <b safe>{name}</b> <small safe>{of}</small>
              </span>
              <span class="muted" safe>
                {spent}
              </span>
            </div>
            <span class="gauge" style={`--value: ${value}${tone ? `; --primary: var(--${tone})` : ''}`} />
          </div>
        ))}
        <div class="notice" data-tone="danger">
          <Icon name="circle-slash" />
          <div>
            <b>Studio: refused before it cost anything</b>
            <p>This call could have cost up to $0.31, and nothing is left until 00:00 UTC.</p>
          </div>
        </div>
      </div>
    </Card>
  </Picture>
)

const members: { icon: IconName; name: string; detail: string; role: string; tone?: string }[] = [
  { icon: 'user', name: 'Ada', detail: 'Passkey, second factor', role: 'Owner' },
  { icon: 'user', name: 'Jonas', detail: 'Two of five brands', role: 'Editor' },
  { icon: 'bot', name: 'Caption agent', detail: 'Writes drafts, can’t schedule', role: 'Agent' },
  { icon: 'key-round', name: 'Website key …9f3k', detail: 'posts.read, posts.write', role: 'Key' },
  {
    icon: 'key-round',
    name: 'Old website key …2c7d',
    detail: 'Revoked 10:04:11, refused 10:04:12',
    role: 'Revoked',
    tone: 'danger',
  },
]

export const IdentityScene = () => (
  <Picture label="An example of members: an owner with a passkey, an editor of two brands, an agent that only writes drafts, an API key with two scopes, and a revoked key.">
    <Card title="Who has access">
      <ul class="list" style="--pad: 1rem">
        {members.map(({ icon, name, detail, role, tone }) => (
          <li>
            <Icon name={icon} />
            <span class="grow">
              <b safe>{name}</b>
              <small safe>{detail}</small>
            </span>
            <span class="badge" data-tone={tone} safe>
              {role}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  </Picture>
)

const entries: [entry: string, debit: string, credit: string][] = [
  ['Card payment', '€42.00', ''],
  ['Sales', '', '€42.00'],
  ['Provider fee', '€0.88', ''],
  ['Card payment', '', '€0.88'],
  ['Refund: one bag damaged', '€14.00', ''],
  ['Card payment', '', '€14.00'],
]

export const PaymentsScene = () => (
  <Picture label="An example of an order’s ledger: a payment of €42.00, its fee, and a refund of €14.00. Debits and credits are both €56.88.">
    <Card title="Order 10482" end={<span class="badge">Partly refunded</span>}>
      <table class="table">
        <thead>
          <tr>
            <th>Entry</th>
            <th data-num>Debit</th>
            <th data-num>Credit</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(([entry, debit, credit]) => (
            <tr>
              <td safe>{entry}</td>
              <td data-num safe>
                {debit}
              </td>
              <td data-num safe>
                {credit}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              <Mark state="published" icon="circle-check" word="Balanced" />
            </td>
            <td data-num>€56.88</td>
            <td data-num>€56.88</td>
          </tr>
        </tfoot>
      </table>
    </Card>
  </Picture>
)
