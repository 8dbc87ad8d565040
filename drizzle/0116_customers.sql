CREATE TABLE "payments"."customers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"kind" text DEFAULT 'individual' NOT NULL,
	"name" text,
	"email" text,
	"phone" text,
	"address" jsonb,
	"tax_number" text,
	"language" text,
	"note" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"erased_at" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "customers_of_organization" UNIQUE("organization_id","id"),
	CONSTRAINT "customers_kind" CHECK ("payments"."customers"."kind" IN ('individual', 'company')),
	CONSTRAINT "customers_named" CHECK ("payments"."customers"."erased_at" IS NOT NULL OR "payments"."customers"."name" IS NOT NULL OR "payments"."customers"."email" IS NOT NULL),
	CONSTRAINT "customers_erased" CHECK ("payments"."customers"."erased_at" IS NULL OR coalesce("payments"."customers"."name", "payments"."customers"."email", "payments"."customers"."phone", "payments"."customers"."tax_number", "payments"."customers"."language", "payments"."customers"."note", "payments"."customers"."address"::text) IS NULL AND "payments"."customers"."metadata" = '{}' AND "payments"."customers"."archived_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "payments"."payment_methods" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"account_key" text NOT NULL,
	"provider_payment_method_id" text NOT NULL,
	"type" text NOT NULL,
	"brand" text,
	"last_four" text,
	"expiry_month" integer,
	"expiry_year" integer,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_methods_provider" UNIQUE("account_key","provider_payment_method_id"),
	CONSTRAINT "payment_methods_last_four" CHECK ("payments"."payment_methods"."last_four" ~ '^[0-9]{4}$')
);
--> statement-breakpoint
CREATE TABLE "payments"."provider_customers" (
	"customer_id" uuid NOT NULL,
	"account_key" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"provider_customer_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "provider_customers_customer_id_account_key_pk" PRIMARY KEY("customer_id","account_key"),
	CONSTRAINT "provider_customers_id" UNIQUE("account_key","provider_customer_id")
);
--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "legal_name" text;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "address" jsonb;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "tax_number" text;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "invoice_prefix" text;--> statement-breakpoint
UPDATE payments.merchants AS merchant SET invoice_prefix = CASE nth WHEN 1 THEN 'INV' ELSE 'INV' || nth END
FROM (
  SELECT id, row_number() OVER (PARTITION BY organization_id ORDER BY is_default DESC, id) AS nth FROM payments.merchants
) AS numbered
WHERE numbered.id = merchant.id;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ALTER COLUMN "invoice_prefix" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "timezone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "default_currency" text DEFAULT 'EUR' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."venues" ADD COLUMN "address" jsonb;--> statement-breakpoint
ALTER TABLE "payments"."venues" ADD COLUMN "timezone" text;--> statement-breakpoint
ALTER TABLE "payments"."venues" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments"."venues" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."orders" ADD COLUMN "customer_id" uuid;--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD COLUMN "provider_customer_id" text;--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD COLUMN "provider_payment_method_id" text;--> statement-breakpoint
ALTER TABLE "payments"."payment_methods" ADD CONSTRAINT "payment_methods_provider_customer" FOREIGN KEY ("customer_id","account_key") REFERENCES "payments"."provider_customers"("customer_id","account_key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."provider_customers" ADD CONSTRAINT "provider_customers_customer" FOREIGN KEY ("organization_id","customer_id") REFERENCES "payments"."customers"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customers_by_kind" ON "payments"."customers" USING btree ("organization_id","kind","id");--> statement-breakpoint
CREATE INDEX "customers_by_country" ON "payments"."customers" USING btree ("organization_id",("address"->>'country'),"id");--> statement-breakpoint
CREATE INDEX "customers_archived" ON "payments"."customers" USING btree ("organization_id","id") WHERE archived_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "customers_words" ON "payments"."customers" USING gin (array_to_tsvector(array_remove(regexp_split_to_array(lower(coalesce("name", '') || ' ' || coalesce("email", '') || ' ' || coalesce("tax_number", '')), '\s+'), '')));--> statement-breakpoint
CREATE INDEX "payment_methods_by_customer" ON "payments"."payment_methods" USING btree ("customer_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_methods_default" ON "payments"."payment_methods" USING btree ("customer_id","account_key") WHERE is_default;--> statement-breakpoint
ALTER TABLE "payments"."orders" ADD CONSTRAINT "orders_customer" FOREIGN KEY ("organization_id","customer_id") REFERENCES "payments"."customers"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_by_customer" ON "payments"."orders" USING btree ("customer_id","id");--> statement-breakpoint
CREATE INDEX "orders_needing_action" ON "payments"."orders" USING btree ("customer_id") WHERE status IN ('requires_action', 'failed', 'disputed') AND customer_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD CONSTRAINT "merchants_prefix" UNIQUE("organization_id","invoice_prefix");--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD CONSTRAINT "merchants_prefix_form" CHECK ("payments"."merchants"."invoice_prefix" ~ '^[A-Z0-9][A-Z0-9-]{0,11}$');--> statement-breakpoint
ALTER TABLE "payments"."merchants" ADD CONSTRAINT "merchants_default_active" CHECK (NOT ("payments"."merchants"."is_default" AND "payments"."merchants"."archived_at" IS NOT NULL));