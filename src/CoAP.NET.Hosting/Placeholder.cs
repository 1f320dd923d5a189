namespace CoAP.Hosting;

internal static class Placeholder;
