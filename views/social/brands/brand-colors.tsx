import type { Brand } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'

/** WCAG 2.2, for text. */
const minTextContrast = 4.5

export const BrandColors = ({ brand }: { brand: Brand }) => (
  <SettingsSection
    id="brand-colors"
    title="Colors"
    text="For generated images, when their prompt asks for them. Up to 8."
  >
    <div class="card">
      {brand.colors.length > 0 ? (
        <ul class="colors body" aria-label="Colors">
          {brand.colors.map((color, at) => (
            <Color brand={brand} color={color} contrast={brand.contrastsOnWhite[at] ?? 1} />
          ))}
        </ul>
      ) : (
        <p class="body muted">No colors yet.</p>
      )}
      {brand.can.update ? <AddColor brand={brand} /> : null}
    </div>
  </SettingsSection>
)

interface ColorProps {
  brand: Brand
  color: string
  contrast: number
}

const Color = ({ brand, color, contrast }: ColorProps) => (
  <li>
    {/* A picture and not a style: the page's policy has no inline colors. */}
    <svg class="swatch" aria-hidden="true">
      <rect width="100%" height="100%" fill={color} />
    </svg>
    <b safe>{color}</b>
    {contrast < minTextContrast ? (
      <small data-bad>
        <Icon name="triangle-alert" />
        <span safe>{`${contrast.toFixed(1)}:1 on white, too light for text`}</span>
      </small>
    ) : (
      <small class="muted" safe>{`${contrast.toFixed(1)}:1 on white`}</small>
    )}
    {brand.can.update ? (
      <Form hx-delete={`/api/brands/${brand.id}/colors`} {...inSection}>
        <input type="hidden" name="color" value={color} />
        <Button label="Remove" size="sm" variant="ghost" type="submit" aria-label={`Remove ${color}`} />
      </Form>
    ) : null}
  </li>
)

const inSection = { 'hx-target': '#brand-colors', 'hx-swap': 'outerMorph' } as const

const AddColor = ({ brand }: { brand: Brand }) => (
  <Form class="stack body" style="--gap: 1rem" hx-post={`/api/brands/${brand.id}/colors`} {...inSection}>
    <div class="row" data-wrap style="align-items: end">
      <div class="field">
        <label for="brand-color">New color</label>
        <input
          class="input"
          type="color"
          id="brand-color"
          name="color"
          value="#0f766e"
          aria-describedby="brand-color-error"
        />
        <p class="error" id="brand-color-error">
          <Icon name="circle-alert" />
          <span />
        </p>
      </div>
      <Button label="Add" type="submit" size="sm" />
    </div>
  </Form>
)
