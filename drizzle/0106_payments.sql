CREATE SCHEMA "payments";
--> statement-breakpoint
CREATE TABLE "payments"."merchants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchants_name" UNIQUE("organization_id","name")
);
--> statement-breakpoint
CREATE TABLE "payments"."settings" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"refund_ceilings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"batch_ceilings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments"."venues" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "venues_name" UNIQUE("merchant_id","name")
);
--> statement-breakpoint
CREATE TABLE "payments"."order_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"by" uuid,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments"."order_lines" (
	"order_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_amount" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax_rate" integer NOT NULL,
	"tax" bigint NOT NULL,
	"total" bigint NOT NULL,
	CONSTRAINT "order_lines_order_id_position_pk" PRIMARY KEY("order_id","position"),
	CONSTRAINT "order_lines_quantity" CHECK ("payments"."order_lines"."quantity" > 0),
	CONSTRAINT "order_lines_amounts" CHECK ("payments"."order_lines"."unit_amount" >= 0 AND "payments"."order_lines"."discount" >= 0 AND "payments"."order_lines"."total" >= 0),
	CONSTRAINT "order_lines_tax" CHECK ("payments"."order_lines"."tax_rate" BETWEEN 0 AND 1000000 AND "payments"."order_lines"."tax" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payments"."order_numbers" (
	"organization_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "order_numbers_organization_id_year_pk" PRIMARY KEY("organization_id","year")
);
--> statement-breakpoint
CREATE TABLE "payments"."orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"venue_id" uuid,
	"number" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"currency" text NOT NULL,
	"tax_mode" text NOT NULL,
	"tax_rounding" text NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"total" bigint NOT NULL,
	"authorized" bigint DEFAULT 0 NOT NULL,
	"captured" bigint DEFAULT 0 NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"refunds_reserved" bigint DEFAULT 0 NOT NULL,
	"customer_email" text,
	"customer_name" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "orders_number" UNIQUE("organization_id","number"),
	CONSTRAINT "orders_status" CHECK ("payments"."orders"."status" IN ('pending', 'requires_action', 'paid', 'partially_refunded', 'refunded', 'cancelled', 'expired', 'failed', 'disputed', 'lost')),
	CONSTRAINT "orders_amounts" CHECK ("payments"."orders"."total" > 0 AND "payments"."orders"."discount" >= 0 AND "payments"."orders"."tax" >= 0),
	CONSTRAINT "orders_captured" CHECK ("payments"."orders"."captured" BETWEEN 0 AND "payments"."orders"."total"),
	CONSTRAINT "orders_refunded" CHECK (0 <= "payments"."orders"."refunded" AND "payments"."orders"."refunded" <= "payments"."orders"."refunds_reserved" AND "payments"."orders"."refunds_reserved" <= "payments"."orders"."captured")
);
--> statement-breakpoint
CREATE TABLE "payments"."disputes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"provider_dispute_id" text NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"evidence_due_at" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "disputes_provider" UNIQUE("provider_dispute_id"),
	CONSTRAINT "disputes_status" CHECK ("payments"."disputes"."status" IN ('open', 'won', 'lost', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "payments"."payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"capture_method" text NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"authorized" bigint DEFAULT 0 NOT NULL,
	"captured" bigint DEFAULT 0 NOT NULL,
	"checkout_session_id" text,
	"payment_link_id" text,
	"payment_intent_id" text,
	"charge_id" text,
	"url" text,
	"success_url" text,
	"cancel_url" text,
	"receipt_token" text NOT NULL,
	"card_brand" text,
	"card_last_four" text,
	"failure_code" text,
	"failure_message" text,
	"expires_at" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "payments_session" UNIQUE("checkout_session_id"),
	CONSTRAINT "payments_intent" UNIQUE("payment_intent_id"),
	CONSTRAINT "payments_link" UNIQUE("payment_link_id"),
	CONSTRAINT "payments_receipt" UNIQUE("receipt_token"),
	CONSTRAINT "payments_status" CHECK ("payments"."payments"."status" IN ('unknown', 'requires_action', 'processing', 'authorized', 'succeeded', 'cancelled', 'expired', 'failed')),
	CONSTRAINT "payments_captured" CHECK (0 <= "payments"."payments"."captured" AND "payments"."payments"."captured" <= "payments"."payments"."amount")
);
--> statement-breakpoint
CREATE TABLE "payments"."refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"note" text,
	"lines" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"provider_refund_id" text,
	"failure_reason" text,
	"requested_by" uuid,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"confirmed_alone" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "refunds_provider" UNIQUE("provider_refund_id"),
	CONSTRAINT "refunds_amount" CHECK ("payments"."refunds"."amount" > 0),
	CONSTRAINT "refunds_status" CHECK ("payments"."refunds"."status" IN ('needs_approval', 'pending', 'unknown', 'succeeded', 'failed', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "payments"."venues" ADD CONSTRAINT "venues_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "payments"."merchants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."order_events" ADD CONSTRAINT "order_events_order" FOREIGN KEY ("order_id") REFERENCES "payments"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "payments"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."orders" ADD CONSTRAINT "orders_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "payments"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."orders" ADD CONSTRAINT "orders_venue_id_venues_id_fk" FOREIGN KEY ("venue_id") REFERENCES "payments"."venues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."disputes" ADD CONSTRAINT "disputes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "payments"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."disputes" ADD CONSTRAINT "disputes_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "payments"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "payments"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "merchants_default" ON "payments"."merchants" USING btree ("organization_id") WHERE is_default;--> statement-breakpoint
CREATE INDEX "venues_by_organization" ON "payments"."venues" USING btree ("organization_id","name");--> statement-breakpoint
CREATE INDEX "order_events_by_order" ON "payments"."order_events" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "payments"."orders" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "orders_by_status" ON "payments"."orders" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "orders_by_merchant" ON "payments"."orders" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "orders_by_email" ON "payments"."orders" USING btree ("organization_id","customer_email","id");--> statement-breakpoint
CREATE INDEX "orders_expiring" ON "payments"."orders" USING btree ("expires_at") WHERE status IN ('pending', 'requires_action') AND expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "disputes_by_order" ON "payments"."disputes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "payments"."disputes" USING btree ("organization_id","evidence_due_at") WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX "payments_by_order" ON "payments"."payments" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "payments_newest" ON "payments"."payments" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "payments_by_charge" ON "payments"."payments" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "payments_due" ON "payments"."payments" USING btree ("next_check_at") WHERE next_check_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments"."payments" USING btree ("order_id") WHERE status IN ('unknown', 'requires_action', 'processing', 'authorized');--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid" ON "payments"."payments" USING btree ("order_id") WHERE status = 'succeeded';--> statement-breakpoint
CREATE INDEX "refunds_newest" ON "payments"."refunds" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "refunds_by_status" ON "payments"."refunds" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "refunds_by_order" ON "payments"."refunds" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "payments"."refunds" USING btree ("next_check_at") WHERE next_check_at IS NOT NULL;