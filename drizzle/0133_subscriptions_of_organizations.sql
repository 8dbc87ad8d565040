ALTER TABLE "payments"."subscription_changes" RENAME COLUMN "owner_id" TO "organization_id";
--> statement-breakpoint
ALTER TABLE "payments"."subscription_forwards" RENAME COLUMN "owner_id" TO "organization_id";
--> statement-breakpoint
ALTER TABLE "payments"."subscription_invoices" RENAME COLUMN "owner_id" TO "organization_id";
--> statement-breakpoint
ALTER TABLE "payments"."subscription_notices" RENAME COLUMN "owner_id" TO "organization_id";
--> statement-breakpoint
ALTER TABLE "payments"."subscriptions" RENAME COLUMN "owner_id" TO "organization_id";
