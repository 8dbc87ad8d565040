CREATE TABLE "gateway"."catalog_models" (
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"status" text NOT NULL,
	"deprecated_on" date,
	"retires_on" date,
	"replacement" text,
	"source" text NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_models_provider_model_pk" PRIMARY KEY("provider","model"),
	CONSTRAINT "catalog_models_status" CHECK ("gateway"."catalog_models"."status" IN ('active', 'preview', 'deprecated', 'retired'))
);
--> statement-breakpoint
CREATE TABLE "gateway"."model_allow_lists" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"models" text[] NOT NULL,
	"updated_by" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gateway"."model_prices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"rates" jsonb NOT NULL,
	"since" date NOT NULL,
	"reason" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_prices_since" UNIQUE NULLS NOT DISTINCT("organization_id","provider","model","since")
);
--> statement-breakpoint
CREATE TABLE "gateway"."model_routes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"use_case" text NOT NULL,
	"models" text[] NOT NULL,
	"updated_by" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_routes_use_case" UNIQUE NULLS NOT DISTINCT("organization_id","use_case"),
	CONSTRAINT "model_routes_length" CHECK (cardinality("gateway"."model_routes"."models") BETWEEN 1 AND 10)
);
--> statement-breakpoint
CREATE TABLE "gateway"."model_sources" (
	"name" text PRIMARY KEY NOT NULL,
	"healthy" boolean NOT NULL,
	"error" text,
	"models" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"succeeded_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "catalog_models_first_seen" ON "gateway"."catalog_models" USING btree ("first_seen_at");