ALTER TABLE "payments"."provider_customers" ADD COLUMN "sent_version" integer;--> statement-breakpoint
ALTER TABLE "payments"."provider_customers" ADD COLUMN "next_check_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments"."provider_customers" ADD COLUMN "checks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."provider_customers" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "provider_customers_of_organization" ON "payments"."provider_customers" USING btree ("organization_id","customer_id");--> statement-breakpoint
CREATE INDEX "provider_customers_due" ON "payments"."provider_customers" USING btree ("next_check_at") WHERE next_check_at IS NOT NULL;