import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

export const priceDialog = 'set-price'

const rates = [
  { name: 'inputPerMillion', label: 'Input, per 1M tokens' },
  { name: 'outputPerMillion', label: 'Output, per 1M tokens' },
  { name: 'audioPerHour', label: 'Audio, per hour' },
  { name: 'requestsPerThousand', label: 'Calls, per 1,000' },
] as const

export const PriceDialog = ({ provider, model }: { provider: string; model: string }) => (
  <Dialog id={priceDialog} title={`Set the price of ${model}`}>
    <Form hx-put="/api/models/prices" hx-target="#prices" hx-swap="outerMorph" data-refresh>
      <div class="body">
        <input type="hidden" name="provider" value={provider} />
        <input type="hidden" name="model" value={model} />
        <p class="muted">
          In US dollars. Enter those that the provider charges; it applies to calls with your own key.
        </p>
        <div class="fields">
          {rates.map(({ name, label }, at) => (
            <TextField
              label={label}
              name={`rates.${name}`}
              inputmode="decimal"
              autocomplete="off"
              placeholder="2.50"
              autofocus={at === 0}
            />
          ))}
        </div>
        <TextField label="Valid from" name="since" type="date" hint="Today when empty" />
        <TextField label="Reason" name="reason" maxlength="500" hint="Such as an invoice" />
      </div>
      <DialogButtons dialog={priceDialog} submit="Set price" />
    </Form>
  </Dialog>
)
