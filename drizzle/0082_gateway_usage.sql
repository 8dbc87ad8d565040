CREATE TABLE "gateway"."usage_daily" (
	"organization_id" uuid NOT NULL,
	"day" date NOT NULL,
	"application_id" text,
	"api_key_id" uuid,
	"user_id" text,
	"family" text NOT NULL,
	"provider" text NOT NULL,
	"model" text,
	"unit" text NOT NULL,
	"count" bigint NOT NULL,
	"quantity" numeric NOT NULL,
	"cost_nano_usd" bigint NOT NULL,
	CONSTRAINT "usage_daily_key" UNIQUE NULLS NOT DISTINCT("organization_id","day","family","provider","model","unit","application_id","api_key_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "gateway"."usage_dedupe" (
	"organization_id" uuid NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"payload_digest" bytea NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_dedupe_organization_id_request_id_pk" PRIMARY KEY("organization_id","request_id")
);
--> statement-breakpoint
CREATE TABLE "gateway"."usage_logs" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"application_id" text,
	"api_key_id" uuid,
	"user_id" text,
	"family" text NOT NULL,
	"provider" text NOT NULL,
	"model" text,
	"unit" text NOT NULL,
	"quantity" numeric NOT NULL,
	"cost_nano_usd" bigint NOT NULL,
	"certainty" text NOT NULL,
	"price_date" date,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"metadata" jsonb,
	"input_tokens" integer,
	"output_tokens" integer,
	"cached_tokens" integer,
	"latency_ms" integer,
	"first_byte_ms" integer,
	"status" integer,
	"error_code" text,
	"fallbacks" integer,
	"streamed" boolean,
	CONSTRAINT "usage_logs_organization_id_occurred_at_id_pk" PRIMARY KEY("organization_id","occurred_at","id"),
	CONSTRAINT "usage_logs_certainty" CHECK ("gateway"."usage_logs"."certainty" IN ('exact', 'estimated', 'suspect'))
) PARTITION BY RANGE ("occurred_at");
--> statement-breakpoint
CREATE INDEX "usage_dedupe_occurred" ON "gateway"."usage_dedupe" USING brin ("occurred_at");