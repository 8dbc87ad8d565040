/** The address of an invoice’s PDF for its buyer: the token is all that is needed. */
export const pdfPath = (token: string): string => `/api/pay/invoices/${token}/pdf`
