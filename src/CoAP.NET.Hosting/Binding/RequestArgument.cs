using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Hosting.Binding;

/// <summary>An argument of a typed handler that a placeholder of the path or the query contains as text. For generated code.</summary>
/// <remarks>Safe for concurrent use. A wrong argument gets 4.00 (Bad Request) with the name, the value and the expected type.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RequestArgument<T>
{
    private readonly string _name;
    private readonly string _typeName;
    private readonly bool _isInPath;
    private readonly ArgumentParser<T> _parser;

    /// <summary>Creates an argument of the handlers of a resource.</summary>
    /// <param name="resource">The resource.</param>
    /// <param name="name">The name of the placeholder or of the query argument.</param>
    /// <param name="source">Where the argument is.</param>
    /// <param name="typeName">The name of the type, for messages to the client.</param>
    /// <param name="parser">Parses the text.</param>
    /// <exception cref="InvalidOperationException">The argument is read from the path, but the template has no such placeholder.</exception>
    public RequestArgument(Resource resource, string name, ArgumentSource source, string typeName, ArgumentParser<T> parser)
    {
        ArgumentNullException.ThrowIfNull(resource);
        (_name, _typeName, _parser) = (name, typeName, parser);
        _isInPath = source != ArgumentSource.Query && HasPlaceholder(resource.Template, name);
        if (source == ArgumentSource.Route && !_isInPath)
        {
            throw new InvalidOperationException(
                $"'{resource.Template}' has no placeholder '{name}', but the handler reads it with [FromRoute]. Add {{{name}}} to the template, or correct the name.");
        }
    }

    /// <summary>Reads an argument that must be present.</summary>
    public bool TryRead(IncomingRequest request, [MaybeNullWhen(false)] out T value, [NotNullWhen(false)] out CoapResponse? failure)
    {
        if (!TryReadOptional(request, out value, out var isPresent, out failure)) { return false; }
        if (!isPresent) { failure = Missing(); }
        return isPresent;
    }

    /// <summary>Reads an argument that may be absent.</summary>
    public bool TryReadOptional(
        IncomingRequest request, [MaybeNull] out T value, out bool isPresent, [NotNullWhen(false)] out CoapResponse? failure)
    {
        ArgumentNullException.ThrowIfNull(request);
        (value, failure) = (default, null);
        var text = _isInPath ? request[_name] : request.Query(_name);
        isPresent = text is not null;
        return text is null || TryParse(text, out value, out failure);
    }

    /// <summary>Reads all values of an argument that may be repeated or absent.</summary>
    public bool TryReadAll(IncomingRequest request, out T[] values, [NotNullWhen(false)] out CoapResponse? failure)
    {
        ArgumentNullException.ThrowIfNull(request);
        var found = new List<T>();
        (values, failure) = ([], null);
        foreach (var text in TextsOf(request))
        {
            if (!TryParse(text, out var value, out failure)) { return false; }
            found.Add(value);
        }
        values = [.. found];
        return true;
    }

    private IEnumerable<string> TextsOf(IncomingRequest request) => _isInPath
        ? [request[_name]]
        : request.Options.GetAll<UriQuery>().Select(argument => ValueOf(argument.Value)).OfType<string>();

    // An argument without "=" has a name only, and its value is empty.
    private string? ValueOf(string argument)
    {
        if (!argument.StartsWith(_name, StringComparison.Ordinal)) { return null; }
        if (argument.Length == _name.Length) { return ""; }
        return argument[_name.Length] == '=' ? argument[(_name.Length + 1)..] : null;
    }

    private bool TryParse(string text, [MaybeNullWhen(false)] out T value, [NotNullWhen(false)] out CoapResponse? failure)
    {
        failure = null;
        if (_parser(text, out value)) { return true; }
        failure = Response.Problem(
            ResponseCode.BadRequest, "Invalid argument", $"The {Place} '{_name}' is '{ForeignText.Clean(text)}', which is not a valid {_typeName}.");
        return false;
    }

    private CoapResponse Missing() => Response.Problem(
        ResponseCode.BadRequest, "Missing argument", $"The {Place} '{_name}' of type {_typeName} is missing.");

    private string Place => _isInPath ? "path value" : "query argument";

    // The map has parsed the template, so a placeholder is "{name}", "{*name}" or either with constraints after a colon.
    private static bool HasPlaceholder(string template, string name) =>
        new[] { $"{{{name}}}", $"{{{name}:", $"{{*{name}}}", $"{{*{name}:" }.Any(form => template.Contains(form, StringComparison.Ordinal));
}
