using System.Collections.Immutable;
using CoAP.Hosting.Generation.Calls;
using CoAP.Hosting.Generation.Results;
using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Decides where the parameters of a handler come from.</summary>
internal sealed class ParameterReader(string method, Template template, List<Problem> problems)
{
    private bool HasPayload => method is not ("Get" or "Delete");

    public ImmutableArray<HandlerParameter> Read(HandlerMethod handler)
    {
        var parameters = handler.Method.Parameters
            .Select((parameter, index) => Read(parameter, index, handler.LocationOf(parameter)))
            .ToImmutableArray();
        return Settle(parameters, handler);
    }

    // With one certain payload, the other types can only be services.
    private ImmutableArray<HandlerParameter> Settle(ImmutableArray<HandlerParameter> parameters, HandlerMethod handler)
    {
        var payloads = Enumerable.Range(0, parameters.Length).Where(i => ReadsPayload(parameters[i])).ToArray();
        foreach (var i in payloads)
        {
            var location = handler.LocationOf(handler.Method.Parameters[i]);
            if (!HasPayload) { problems.Add(Problem.At(Rules.NoPayload, location, NameAt(handler, i), method.ToUpperInvariant())); }
            else if (i != payloads[0]) { problems.Add(Problem.At(Rules.TwoPayloads, location, NameAt(handler, payloads[0]), NameAt(handler, i))); }
        }
        return payloads.Length == 0
            ? parameters
            : [.. parameters.Select(one => one.Source == ParameterSource.PayloadOrService ? one with { Source = ParameterSource.Service } : one)];
    }

    private static string NameAt(HandlerMethod handler, int index) => handler.Method.Parameters[index].Name;

    private static bool ReadsPayload(HandlerParameter parameter) =>
        parameter.Source == ParameterSource.Payload || RequestValues.IsPayload(parameter.Expression);

    private HandlerParameter Read(IParameterSymbol parameter, int index, Location location)
    {
        var read = new HandlerParameter($"p{index}", ParameterSource.Request, TypeNames.Of(parameter.Type))
        {
            ValueType = TypeNames.OfValue(parameter.Type),
            DisplayType = TypeNames.Short(parameter.Type),
            Default = Defaults.OrNull(parameter),
        };
        var (source, argument) = Attributes.Read(parameter);
        return source switch
        {
            "Route" => ReadRoute(read, parameter, argument as string, location),
            "Query" => ReadArgument(read, parameter, argument as string, "Query") ?? Refuse(read, location, parameter, NoText(parameter)),
            "Services" => read with { Source = ParameterSource.Service, Key = KeyOf(argument) },
            "Payload" => read with { Source = ParameterSource.Payload },
            _ => ReadUnmarked(read, parameter, location),
        };
    }

    private HandlerParameter ReadUnmarked(HandlerParameter read, IParameterSymbol parameter, Location location)
    {
        if (RequestValues.ExpressionFor(parameter) is { } expression) { return read with { Expression = expression }; }
        if (TypeChecks.Derives(parameter.Type, RequestValues.Option)) { return ReadOption(read, parameter, location); }
        if (TypeChecks.ItemOf(parameter.Type) is { } item && TypeChecks.Derives(item, RequestValues.Option) && RequestValues.IsDeclared(item)
            && parameter.Type.TypeKind == TypeKind.Interface)
        {
            return read with { Expression = $"request.Options.GetAll<{TypeNames.OfValue(item)}>()" };
        }
        if (ReadArgument(read, parameter, null, "RouteOrQuery") is { } argument) { return argument; }
        if (template.Names.Contains(parameter.Name)) { return Refuse(read, location, parameter, NoText(parameter)); }
        return ReadObject(read, parameter, location);
    }

    private HandlerParameter ReadObject(HandlerParameter read, IParameterSymbol parameter, Location location)
    {
        var type = parameter.Type;
        if (type.IsRefLikeType || type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer or TypeKind.Dynamic
            || type.SpecialType == SpecialType.System_Object)
        {
            return Refuse(read, location, parameter, $"has the type {type.ToDisplayString()}, which says nothing about its source; use a specific type");
        }
        var isValue = TypeChecks.WithoutNullable(type).IsValueType;
        if (isValue && !HasPayload) { return Refuse(read, location, parameter, NoText(parameter)); }
        var isService = !isValue && ((type.TypeKind == TypeKind.Interface && !TypeChecks.IsCollection(type)) || type.TypeKind == TypeKind.Delegate || !HasPayload);
        return read with { Source = isValue ? ParameterSource.Payload : isService ? ParameterSource.Service : ParameterSource.PayloadOrService };
    }

    private HandlerParameter ReadRoute(HandlerParameter read, IParameterSymbol parameter, string? name, Location location)
    {
        var key = name ?? parameter.Name;
        if (template is { IsWhole: true, Text: { } text } && !template.Names.Contains(key))
        {
            problems.Add(Problem.At(Rules.NotInTemplate, location, parameter.Name, $"template '{text}' has no placeholder '{key}'"));
        }
        return ReadArgument(read, parameter, name, "Route") ?? Refuse(read, location, parameter, NoText(parameter));
    }

    // A value with a text, or all values of a query argument. Bytes are the payload, not numbers.
    private static HandlerParameter? ReadArgument(HandlerParameter read, IParameterSymbol parameter, string? name, string place)
    {
        var key = SymbolText(name ?? parameter.Name);
        if (Parsers.For(parameter.Type) is { } parser)
        {
            return read with { Source = ParameterSource.Argument, Key = key, Place = place, Parser = parser };
        }
        if (TypeChecks.ItemOf(parameter.Type) is not { } item || Parsers.For(item) is not { } itemParser || TypeChecks.IsNullableValue(item)) { return null; }
        return read with
        {
            Source = ParameterSource.Arguments,
            Key = key,
            Place = place,
            Parser = itemParser,
            ValueType = TypeNames.OfValue(item),
            DisplayType = TypeNames.Short(item),
        };
    }

    private HandlerParameter ReadOption(HandlerParameter read, IParameterSymbol parameter, Location location)
    {
        if (!RequestValues.IsDeclared(parameter.Type))
        {
            return Refuse(read, location, parameter, $"has the option type {parameter.Type.ToDisplayString()}, which has no static declaration; it must implement IDeclaredOption");
        }
        return read.Default is null
            ? read with { Source = ParameterSource.Option }
            : read with { Expression = $"request.Options.Get<{read.ValueType}>()" };
    }

    private HandlerParameter Refuse(HandlerParameter read, Location location, IParameterSymbol parameter, string what)
    {
        problems.Add(Problem.At(Rules.Parameter, location, parameter.Name, what));
        return read;
    }

    private static string NoText(IParameterSymbol parameter) =>
        $"cannot be read from the path or the query: {parameter.Type.ToDisplayString()} is neither a string, an enumeration nor an IParsable<T>";

    private static string KeyOf(object? key) => key switch
    {
        null => "",
        Attributes.EnumKey named => named.Expression,
        _ => Defaults.Literal(key),
    };

    private static string SymbolText(string name) => Defaults.Literal(name);
}
