import type { Children } from '@kitajs/html'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'

// What the pages of the practice providers have in common.

interface PageProps {
  title: string
  note: string
  list: JSX.Element
  behavior: JSX.Element
}

export const PracticePage = ({ title, note, list, behavior }: PageProps) => (
  <>
    <header class="page-header">
      <h1 safe>{title}</h1>
      <span class="muted" safe>
        {note}
      </span>
    </header>
    <div class="page split">
      {list}
      <aside class="stack">{behavior}</aside>
    </div>
  </>
)

interface ListProps {
  id: string
  /** It reloads itself from there. */
  url: string
  label: string
  empty: { title: string; text: string }
  rows: JSX.Element[]
}

export const ReceivedList = ({ id, url, label, empty, rows }: ListProps) => (
  <div id={id} hx-get={url} hx-trigger="every 3s" hx-target="this" hx-swap="outerMorph">
    {rows.length === 0 ? (
      <Empty icon="send" title={empty.title} text={empty.text} />
    ) : (
      <div class="card">
        <ul class="list" data-settings aria-label={label}>
          {rows}
        </ul>
      </div>
    )}
  </div>
)

interface RowProps {
  title: string
  facts: readonly (string | number | false | null)[]
  /** Cut after 400 characters. */
  content: string | null
  at: string
}

const maxShown = 400

export const ReceivedRow = ({ title, facts, content, at }: RowProps) => (
  <li>
    <span class="grow">
      <b class="wrap-anywhere" safe>
        {title}
      </b>
      <small class="muted wrap-anywhere" safe>
        {facts.filter(Boolean).join(' · ')}
      </small>
      {content === null ? null : (
        <small class="wrap-anywhere" safe>
          {content.slice(0, maxShown)}
        </small>
      )}
    </span>
    <small class="muted nowrap">
      <Time at={at} form="second" />
    </small>
  </li>
)

interface BehaviorProps {
  /** Where it is changed. */
  url: string
  children: Children
}

export const BehaviorCard = ({ url, children }: BehaviorProps) => (
  <section class="card" id="behavior" aria-labelledby="behavior-title">
    <header>
      <h2 id="behavior-title">Behavior</h2>
    </header>
    <div class="body">
      <Form class="stack" hx-put={url} hx-target="#behavior" hx-swap="outerMorph">
        {children}
        <div class="actions">
          <Button label="Apply" type="submit" />
        </div>
      </Form>
    </div>
  </section>
)

interface CountProps {
  label: string
  name: string
  value?: number
  placeholder: string
}

export const Count = ({ label, name, value, placeholder }: CountProps) => (
  <TextField
    label={label}
    name={name}
    type="number"
    min={0}
    value={value === undefined ? undefined : String(value)}
    placeholder={placeholder}
  />
)
