import type { Brand } from '#social/types'
import { Field, Form, SaveFooter } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'

export const BrandVoice = ({ brand }: { brand: Brand }) => (
  <SettingsSection
    id="brand-voice"
    title="Voice"
    text="How the brand writes, for everyone who writes its posts. Nothing is ever published automatically."
  >
    {brand.can.update ? <Edit brand={brand} /> : <Facts brand={brand} />}
  </SettingsSection>
)

const Edit = ({ brand }: { brand: Brand }) => (
  <Form class="card" hx-put={`/api/brands/${brand.id}`} hx-target="#brand-voice" hx-swap="outerMorph">
    <div class="stack body" style="--gap: 1rem">
      <Field label={`How ${brand.name} sounds`} id="voice" hint="Up to 2,000 characters.">
        <textarea
          class="input"
          id="voice"
          name="voice"
          rows="4"
          maxlength="2000"
          aria-describedby="voice-hint voice-error"
          safe
        >
          {brand.voice ?? ''}
        </textarea>
      </Field>
      <Field label="Words to avoid" id="avoidedWords" hint="Separate with commas.">
        <textarea
          class="input"
          id="avoidedWords"
          name="avoidedWords"
          rows="2"
          aria-describedby="avoidedWords-hint avoidedWords-error"
          safe
        >
          {brand.avoidedWords.join(', ')}
        </textarea>
      </Field>
      <Languages chosen={brand.languages} />
    </div>
    <SaveFooter />
  </Form>
)

const commonLanguages = [
  'ar',
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'it',
  'ja',
  'ko',
  'nb',
  'nl',
  'pl',
  'pt',
]
const otherLanguages = ['ro', 'sv', 'tr', 'uk', 'zh']

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const nameOf = (code: string): string => languageNames.of(code) ?? code

const Languages = ({ chosen }: { chosen: string[] }) => {
  const codes = [...new Set([...commonLanguages, ...otherLanguages, ...chosen])].toSorted((one, other) =>
    nameOf(one).localeCompare(nameOf(other), 'en'),
  )
  return (
    <fieldset class="field">
      <legend>Languages</legend>
      <div class="row" data-wrap>
        {codes.map((code, at) => (
          <label class="chip">
            <input
              type="checkbox"
              name="languages[]"
              value={code}
              id={at === 0 ? 'languages' : undefined}
              checked={chosen.includes(code)}
            />
            <span safe>{nameOf(code)}</span>
          </label>
        ))}
      </div>
      {/* Without it, no language would mean no change. */}
      <input type="hidden" name="languages[]" value="" />
      <p class="error" id="languages-error">
        <Icon name="circle-alert" />
        <span />
      </p>
    </fieldset>
  )
}

const Facts = ({ brand }: { brand: Brand }) => (
  <div class="card">
    <ul class="list" aria-label="Voice">
      <Setting name={`How ${brand.name} sounds`}>
        <span class="whole prose wrap-anywhere" safe>
          {brand.voice ?? 'Not described yet.'}
        </span>
      </Setting>
      <Setting name="Words to avoid">
        <span class="wrap-anywhere" safe>
          {brand.avoidedWords.join(', ') || 'None'}
        </span>
      </Setting>
      <Setting name="Languages">
        <span safe>{brand.languages.map(nameOf).join(', ') || 'Not set'}</span>
      </Setting>
    </ul>
  </div>
)
