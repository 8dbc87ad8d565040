ALTER TABLE "platform"."audit_log" ADD COLUMN "service" text;--> statement-breakpoint
CREATE INDEX "audit_log_of_service" ON "platform"."audit_log" USING btree ("organization_id","service","at","id");--> statement-breakpoint
-- Entries of payments are read by their service, also those from before it was recorded.
ALTER TABLE platform.audit_log DISABLE TRIGGER audit_log_erasure_only;
--> statement-breakpoint
UPDATE platform.audit_log SET service = 'platform-pay'
WHERE object_kind IN ('account_chart', 'accounting_period', 'callback_secrets', 'customer', 'invoice', 'ledger_transaction',
  'merchant', 'order', 'payment', 'payment_settings', 'payment_webhook_endpoint', 'refund', 'settlement',
  'settlement_callback', 'venue');
--> statement-breakpoint
ALTER TABLE platform.audit_log ENABLE TRIGGER audit_log_erasure_only;
