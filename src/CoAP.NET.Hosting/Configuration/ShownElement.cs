namespace CoAP.Hosting;

/// <summary>Shows an element of a list in an error, unless it is longer than addresses and names are: it could be a secret.</summary>
internal static class ShownElement
{
    private const int Longest = 60;

    /// <summary>Returns the verb and the element, such as <c>is "coap://*"</c>.</summary>
    public static string Of(string text) =>
        text.Length <= Longest ? $"is \"{text}\"" : $"is a text of {text.Length} characters, which is not shown";

    /// <summary>Returns a message without an element that is not shown.</summary>
    public static string MessageOf(Exception error, string text) =>
        text.Length <= Longest ? error.Message : error.Message.Replace(text, "…", StringComparison.OrdinalIgnoreCase);
}
