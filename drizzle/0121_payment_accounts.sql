ALTER TABLE "payments"."payment_methods" DROP CONSTRAINT "payment_methods_provider";--> statement-breakpoint
ALTER TABLE "payments"."provider_customers" DROP CONSTRAINT "provider_customers_id";--> statement-breakpoint
ALTER TABLE "payments"."disputes" DROP CONSTRAINT "disputes_provider";--> statement-breakpoint
ALTER TABLE "payments"."payments" DROP CONSTRAINT "payments_session";--> statement-breakpoint
ALTER TABLE "payments"."payments" DROP CONSTRAINT "payments_intent";--> statement-breakpoint
ALTER TABLE "payments"."payments" DROP CONSTRAINT "payments_link";--> statement-breakpoint
ALTER TABLE "payments"."refunds" DROP CONSTRAINT "refunds_provider";--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" DROP CONSTRAINT "settlement_items_transfer";--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" DROP CONSTRAINT "settlement_items_payout";--> statement-breakpoint
ALTER TABLE "payments"."webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_owner";--> statement-breakpoint
ALTER TABLE "gateway"."provider_credentials" ADD COLUMN "account_id" text;--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD COLUMN "account_key" text;--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD COLUMN "account_lost_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" ADD COLUMN "account_key" text;--> statement-breakpoint
ALTER TABLE "payments"."settlements" ADD COLUMN "account_key" text;--> statement-breakpoint
ALTER TABLE "payments"."webhook_endpoints" ADD COLUMN "account_key" text;--> statement-breakpoint
CREATE INDEX "payments_account_lost" ON "payments"."payments" USING btree ("organization_id","account_key") WHERE account_lost_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."payment_methods" ADD CONSTRAINT "payment_methods_provider" UNIQUE("provider_payment_method_id","organization_id","account_key");--> statement-breakpoint
ALTER TABLE "payments"."provider_customers" ADD CONSTRAINT "provider_customers_id" UNIQUE("provider_customer_id","organization_id","account_key");--> statement-breakpoint
ALTER TABLE "payments"."disputes" ADD CONSTRAINT "disputes_provider" UNIQUE("provider_dispute_id","payment_id");--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD CONSTRAINT "payments_session" UNIQUE("checkout_session_id","organization_id","account_key");--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD CONSTRAINT "payments_intent" UNIQUE("payment_intent_id","organization_id","account_key");--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD CONSTRAINT "payments_link" UNIQUE("payment_link_id","organization_id","account_key");--> statement-breakpoint
ALTER TABLE "payments"."refunds" ADD CONSTRAINT "refunds_provider" UNIQUE("provider_refund_id","payment_id");--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" ADD CONSTRAINT "settlement_items_transfer" UNIQUE("transfer_id","organization_id","account_key");--> statement-breakpoint
ALTER TABLE "payments"."settlement_items" ADD CONSTRAINT "settlement_items_payout" UNIQUE("payout_id","organization_id","account_key");--> statement-breakpoint
ALTER TABLE "payments"."webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_owner" UNIQUE NULLS NOT DISTINCT("organization_id","provider","mode","scope","account_key");