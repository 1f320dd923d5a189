namespace CoAP.Hosting;

/// <summary>Shows a text of the configuration in an error, such as an element of a list, unless it could be a secret.</summary>
internal static class ShownElement
{
    /// <summary>The length of the longest address or name that is shown.</summary>
    public const int Longest = 60;

    /// <summary>Returns the verb and an element of a list, such as <c>is "coap://*"</c>.</summary>
    public static string Of(string text) => Of(text, text.Length <= Longest);

    /// <summary>Returns the verb and a text, or what may be said of it.</summary>
    public static string Of(string text, bool isShown) =>
        isShown ? $"is \"{text}\"" : $"is a text of {text.Length} characters, which is not shown";

    /// <summary>Returns a message without an element that is not shown.</summary>
    public static string MessageOf(Exception error, string text) => Hide(error.Message, text, text.Length <= Longest);

    /// <summary>Returns a message, without a text that is not shown.</summary>
    public static string Hide(string message, string text, bool isShown) =>
        isShown ? message : message.Replace(text, "…", StringComparison.OrdinalIgnoreCase);
}
