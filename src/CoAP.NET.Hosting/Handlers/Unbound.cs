namespace CoAP.Hosting;

/// <summary>The error of a call that the generator has not replaced.</summary>
internal static class Unbound
{
    public static InvalidOperationException Call(string method, string template, Delegate handler)
    {
        ArgumentNullException.ThrowIfNull(template);
        ArgumentNullException.ThrowIfNull(handler);
        return new InvalidOperationException(
            $"The source generator of CoAP.NET.Hosting has not seen the call {method}(\"{template}\", ...), so the handler is not bound. Check three things. "
            + "The handler must be a lambda expression or a method; a variable of type Delegate does not tell its parameters. "
            + "The project with the call must reference the package CoAP.NET.Hosting itself; with a project reference, also reference "
            + "CoAP.NET.Hosting.Generator with OutputItemType=\"Analyzer\" and set the property InterceptorsNamespaces to "
            + "$(InterceptorsNamespaces);CoAP.Hosting.Generated. The call must be compiled as C# with .NET SDK 10 or later, not by reflection or another language.");
    }
}
