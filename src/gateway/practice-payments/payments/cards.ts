export interface CardDecline {
  code: string
  decline_code: string
  message: string
}

/** How a test card behaves. */
export interface TestCard {
  number: string
  brand: string
  country: string
  decline?: CardDecline
  /** Already when it is attached to a customer, or set up. */
  declinesSetup?: true
  /** 3-D Secure: for each payment, or only until the card was set up. */
  authentication?: 'always' | 'once'
  dispute?: { reason: string; isInquiry?: true }
  refund?: 'pending' | 'failed'
}

const declined = (code: string, decline_code: string, message: string): CardDecline => ({ code, decline_code, message })

const generic = declined('card_declined', 'generic_decline', 'Your card was declined.')
const insufficient = declined('card_declined', 'insufficient_funds', 'Your card has insufficient funds.')

const visa = (number: string, facts: Partial<TestCard> = {}): TestCard => ({
  number,
  brand: 'visa',
  country: 'US',
  ...facts,
})

const refused = (number: string, decline: CardDecline): TestCard => visa(number, { decline, declinesSetup: true })

/** By the names of their payment methods: `pm_card_visa`, and `tok_visa`. */
const byName: Record<string, TestCard> = {
  visa: visa('4242424242424242'),
  visa_debit: visa('4000056655665556'),
  mastercard: visa('5555555555554444', { brand: 'mastercard' }),
  mastercard_debit: visa('5200828282828210', { brand: 'mastercard' }),
  amex: visa('378282246310005', { brand: 'amex' }),
  discover: visa('6011111111111117', { brand: 'discover' }),
  bypassPending: visa('4000000000000077'),
  chargeDeclined: refused('4000000000000002', generic),
  visa_chargeDeclined: refused('4000000000000002', generic),
  chargeDeclinedInsufficientFunds: refused('4000000000009995', insufficient),
  visa_chargeDeclinedInsufficientFunds: refused('4000000000009995', insufficient),
  visa_chargeDeclinedLostCard: refused(
    '4000000000009987',
    declined('card_declined', 'lost_card', 'Your card was declined.'),
  ),
  visa_chargeDeclinedStolenCard: refused(
    '4000000000009979',
    declined('card_declined', 'stolen_card', 'Your card was declined.'),
  ),
  chargeDeclinedFraudulent: refused(
    '4100000000000019',
    declined('card_declined', 'fraudulent', 'Your card was declined.'),
  ),
  chargeDeclinedExpiredCard: refused(
    '4000000000000069',
    declined('expired_card', 'expired_card', 'Your card has expired.'),
  ),
  chargeDeclinedIncorrectCvc: refused(
    '4000000000000127',
    declined('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."),
  ),
  chargeDeclinedProcessingError: refused(
    '4000000000000119',
    declined(
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ),
  ),
  chargeCustomerFail: visa('4000000000000341', { decline: generic }),
  authenticationRequired: visa('4000002760003184', { authentication: 'always' }),
  authenticationRequiredOnSetup: visa('4000002500003155', { authentication: 'once' }),
  threeDSecure2Required: visa('4000000000003220', { authentication: 'always' }),
  authenticationRequiredChargeDeclinedInsufficientFunds: visa('4000008260003178', {
    authentication: 'always',
    decline: insufficient,
  }),
  createDispute: visa('4000000000000259', { dispute: { reason: 'fraudulent' } }),
  createDisputeProductNotReceived: visa('4000000000002685', { dispute: { reason: 'product_not_received' } }),
  createDisputeInquiry: visa('4000000000001976', { dispute: { reason: 'fraudulent', isInquiry: true } }),
  pendingRefund: visa('4000000000007726', { refund: 'pending' }),
  refundFail: visa('4000000000005126', { refund: 'failed' }),
}

const byNumber = new Map(Object.values(byName).map((card) => [card.number, card]))

const defaultNumber = '4242424242424242'

/** Null for a number that isn’t one of a test card. */
export const cardByNumber = (number: string): TestCard | null => byNumber.get(number.replaceAll(/\D/g, '')) ?? null

/** Of `pm_card_visa` or `tok_visa`. */
export function cardByAlias(id: string): TestCard | null {
  const [, name = ''] = /^(?:pm_card|tok)_(\w+)$/.exec(id) ?? []
  return Object.hasOwn(byName, name) ? (byName[name] ?? null) : null
}

/** The card of a stored payment method. */
export const cardOf = (hidden: Readonly<Record<string, unknown>>): TestCard =>
  byNumber.get(String(hidden['number'])) ?? visa(defaultNumber)
