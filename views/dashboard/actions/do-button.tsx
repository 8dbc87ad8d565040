import type { Notification } from '#dashboard/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { fieldsOfBody } from './fields-of-body.ts'

type ActionButton = Notification['actions'][number]
type ButtonField = NonNullable<ActionButton['fields']>[number]

interface DoButtonProps {
  button: ActionButton
  /** By a program, whose label can say anything: the person sees the request before it is sent in their name. */
  isPosted: boolean
  id: string
  /** Comes before others and has no style of its own. */
  isFirst: boolean
}

/** Done where it is shown: the response says how it went, and the service takes the action away. */
export const DoButton = ({ button, id, isFirst, isPosted }: DoButtonProps) => {
  const variant = button.style === 'danger' ? 'quiet-danger' : isPrimary(button, isFirst) ? 'primary' : undefined
  if (button.method === 'GET')
    return <ButtonLink label={button.label} href={button.href} variant={variant ?? 'ghost'} />
  // The fields of the one primary button are in the card, others would crowd it.
  const isInCard = !button.fields || variant === 'primary'
  if (button.confirm === undefined && !isPosted && isInCard)
    return (
      <Form {...sentBy(button)}>
        <Hidden body={button.body} />
        <div class="row" data-wrap style="align-items: end">
          {(button.fields ?? []).map((field) => (
            <FieldOf field={field} id={`${id}-${field.name}`} />
          ))}
          <Button label={button.label} variant={variant} type="submit" id={id} />
        </div>
      </Form>
    )
  return (
    <>
      <Button label={button.label} variant={variant} id={id} commandfor={`${id}-dialog`} command="show-modal" />
      <Dialog id={`${id}-dialog`} title={button.label}>
        <Form {...sentBy(button)}>
          <Hidden body={button.body} />
          <div class="body stack">
            {button.confirm === undefined ? null : <p safe>{button.confirm}</p>}
            {isPosted ? <SentRequest button={button} /> : null}
            {(button.fields ?? []).map((field) => (
              <FieldOf field={field} id={`${id}-${field.name}`} />
            ))}
          </div>
          <DialogButtons dialog={`${id}-dialog`} submit={button.label} danger={button.style === 'danger'} />
        </Form>
      </Dialog>
    </>
  )
}

const SentRequest = ({ button: { method, href, body } }: Pick<DoButtonProps, 'button'>) => {
  const request = `${method} ${href}${body ? ` ${JSON.stringify(body)}` : ''}`
  return (
    <p class="wrap-anywhere">
      A program posted this. In your name, it sends <code safe>{request}</code>
    </p>
  )
}

const isPrimary = ({ style }: ActionButton, isFirst: boolean): boolean =>
  style === 'primary' || (style === undefined && isFirst)

const sentBy = ({ method, href }: ActionButton) => ({
  [`hx-${method.toLowerCase()}`]: href,
  // The page of the actions isn't left for the object's.
  'hx-headers': JSON.stringify({ Prefer: 'return=minimal' }),
})

const Hidden = ({ body }: Pick<ActionButton, 'body'>) => (
  <>
    {fieldsOfBody(body ?? {}).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

const FieldOf = ({ field, id }: { field: ButtonField; id: string }) => {
  return (
    <div class="field">
      <label for={id} safe>
        {field.label}
      </label>
      {field.type === 'select' ? (
        <select class="input" id={id} name={field.name}>
          {(field.options ?? []).map((option) => (
            <option value={option.value} selected={option.value === field.value} safe>
              {option.label}
            </option>
          ))}
        </select>
      ) : field.type === 'textarea' ? (
        <textarea class="input" id={id} name={field.name} rows="6" required safe>
          {field.value ?? ''}
        </textarea>
      ) : (
        <input
          class="input"
          id={id}
          name={field.name}
          type={field.type === 'date' ? 'date' : 'text'}
          value={field.value}
          autocomplete="off"
          required
        />
      )}
    </div>
  )
}
