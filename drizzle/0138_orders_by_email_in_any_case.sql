DROP INDEX "payments"."orders_by_email";--> statement-breakpoint
CREATE INDEX "orders_by_email" ON "payments"."orders" USING btree ("organization_id",lower("customer_email"),"id");