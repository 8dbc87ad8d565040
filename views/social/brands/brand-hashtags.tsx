import type { Brand, HashtagPlacement, Provider } from '#social/types'
import { Form, SaveFooter } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { NetworkMark } from '#views/ui/marks.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { networkNames } from '../posts/post-text.ts'

export const BrandHashtags = ({ brand }: { brand: Brand }) => (
  <SettingsSection
    id="brand-hashtags"
    title="Hashtags"
    text="Suggested in each new post. Authors decide whether to add them, and can remove them."
  >
    {brand.can.update ? <Edit brand={brand} /> : <Facts brand={brand} />}
  </SettingsSection>
)

/** The sandbox has the settings of an API client only. */
const networks = Object.keys(networkNames).filter((provider): provider is Provider => provider !== 'sandbox')

const commentNetworks: readonly Provider[] = ['linkedin', 'linkedin-page', 'facebook', 'instagram']

const placementWords: Record<HashtagPlacement, string> = {
  text: 'At the end of the text',
  comment: 'In the first comment',
  none: 'No hashtags',
}

const Edit = ({ brand }: { brand: Brand }) => (
  <Form class="card" hx-put={`/api/brands/${brand.id}`} hx-target="#brand-hashtags" hx-swap="outerMorph">
    <ul class="list" aria-label="Hashtags">
      <li>
        <span class="grow">
          <label for="defaultHashtags">Hashtags</label>
          <small id="defaultHashtags-hint">Up to 30, separated by spaces</small>
        </span>
        {/* Problems of single hashtags are shown at a field of several lines. */}
        <textarea
          class="input"
          id="defaultHashtags"
          name="defaultHashtags"
          rows="2"
          placeholder="#coffee #oatlatte"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="defaultHashtags-hint defaultHashtags-error"
          safe
        >
          {brand.defaultHashtags.join(' ')}
        </textarea>
        <p class="error" id="defaultHashtags-error">
          <Icon name="circle-alert" />
          <span />
        </p>
      </li>
      {networks.map((provider) => (
        <Placement provider={provider} placement={brand.hashtagPlacements[provider] ?? 'text'} />
      ))}
    </ul>
    <SaveFooter />
  </Form>
)

const Placement = ({ provider, placement }: { provider: Provider; placement: HashtagPlacement }) => (
  <li>
    <NetworkMark network={provider} />
    <span class="grow">
      <label for={`hashtags-${provider}`} safe>
        {networkNames[provider]}
      </label>
    </span>
    <select class="input" id={`hashtags-${provider}`} name={`hashtagPlacements.${provider}`}>
      {optionsOf(provider).map((each) => (
        <option value={each} selected={each === placement} safe>
          {placementWords[each]}
        </option>
      ))}
    </select>
  </li>
)

const optionsOf = (provider: Provider): HashtagPlacement[] =>
  commentNetworks.includes(provider) ? ['text', 'comment', 'none'] : ['text', 'none']

const Facts = ({ brand }: { brand: Brand }) => (
  <div class="card">
    <ul class="list" aria-label="Hashtags">
      <Setting name="Hashtags">
        <span class="wrap-anywhere" safe>
          {brand.defaultHashtags.join(' ') || 'None'}
        </span>
      </Setting>
      {networks.map((provider) => {
        const placement = brand.hashtagPlacements[provider] ?? 'text'
        return placement === 'text' ? (
          <></>
        ) : (
          <Setting name={networkNames[provider]}>
            <span safe>{placementWords[placement]}</span>
          </Setting>
        )
      })}
    </ul>
  </div>
)
