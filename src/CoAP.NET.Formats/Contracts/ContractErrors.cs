using System.ComponentModel;

namespace CoAP.Formats.Contracts;

/// <summary>Creates the exceptions of generated contracts. Not meant to be called from other code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ContractErrors
{
    /// <summary>Adds the place to an error. Only the innermost object does so, so that an error costs no more at a greater depth.</summary>
    /// <param name="type">The type of the object.</param>
    /// <param name="member">The member, or <see langword="null"/> if the object itself is wrong.</param>
    /// <param name="error">The error.</param>
    public static CoapPayloadException At(string type, string? member, CoapPayloadException error)
    {
        ArgumentNullException.ThrowIfNull(error);
        var path = member is null ? type : $"{type}.{member}";
        return new CoapPayloadException($"{path}: {WithLowerStart(error.Message)}", error.Offset, error);
    }

    /// <summary>Returns whether <see cref="At"/> has not been called for an error.</summary>
    public static bool IsBare(CoapPayloadException error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return error.InnerException is not CoapPayloadException;
    }

    /// <summary>Creates the error for a required member that is not in the map.</summary>
    public static CoapPayloadException Missing(CborReader reader, string key)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return reader.Error($"The key {key} is missing");
    }

    /// <summary>Creates the error for a key that is in the map twice.</summary>
    public static CoapPayloadException Duplicate(CborReader reader, string key)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return reader.Error($"The key {key} is in the map twice");
    }

    /// <summary>Creates the error for a text that is not the name of a member of an enum.</summary>
    public static CoapPayloadException UnknownName(string type, string name, long offset)
    {
        ArgumentNullException.ThrowIfNull(name);
        return new CoapPayloadException($"The text \"{TextErrors.Quote(name)}\" is not a value of {type} (at byte {offset}).", offset);
    }

    /// <summary>Returns a value that must not be null.</summary>
    /// <exception cref="ArgumentException">The value is <see langword="null"/>.</exception>
    public static T NotNull<T>(T? value, string member)
        where T : class => value ?? throw new ArgumentException($"{member} is null, but its type does not allow null.", nameof(value));

    private static string WithLowerStart(string message) =>
        message.Length > 1 && char.IsUpper(message[0]) && !char.IsUpper(message[1]) ? char.ToLowerInvariant(message[0]) + message[1..] : message;
}
