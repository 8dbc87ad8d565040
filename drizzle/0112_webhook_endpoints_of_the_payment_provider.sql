CREATE TABLE "payments"."webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"scope" text NOT NULL,
	"url" text NOT NULL,
	"provider_endpoint_id" text,
	"sealed_secret" text,
	"sealed_previous_secret" text,
	"previous_secret_ends_at" timestamp (3) with time zone,
	"claimed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_event_at" timestamp (3) with time zone,
	"searched_until" timestamp (3) with time zone,
	"search" jsonb,
	CONSTRAINT "webhook_endpoints_owner" UNIQUE NULLS NOT DISTINCT("organization_id","provider","mode","scope"),
	CONSTRAINT "webhook_endpoints_provider" CHECK ("payments"."webhook_endpoints"."provider" IN ('stripe', 'practice')),
	CONSTRAINT "webhook_endpoints_mode" CHECK ("payments"."webhook_endpoints"."mode" IN ('live', 'test')),
	CONSTRAINT "webhook_endpoints_scope" CHECK ("payments"."webhook_endpoints"."scope" IN ('account', 'connect')),
	CONSTRAINT "webhook_endpoints_previous_secret" CHECK (("payments"."webhook_endpoints"."sealed_previous_secret" IS NULL) = ("payments"."webhook_endpoints"."previous_secret_ends_at" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "payments"."rejected_webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"hour" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "rejected_webhooks_hour" UNIQUE NULLS NOT DISTINCT("organization_id","hour")
);
